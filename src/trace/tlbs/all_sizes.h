/* all_sizes.h: the misses of a trace for every size of a TLB. */
#ifndef TLBLAB_TLBS_ALL_SIZES_H
#define TLBLAB_TLBS_ALL_SIZES_H

#include "trace/format/record.h"
#include "trace/tlbs/pages.h"

struct all_sizes;

/* `shards`: 0, or the pages that are followed (stack_distance.h). `ways`: 0 for fully associative
 * TLBs, or the ways of TLBs of 1, 2, 4, … 65536 sets. Each thread has its own TLB; their misses add
 * up. */
struct all_sizes *all_sizes_open(struct pages *pages, uint64_t shards, uint64_t ways);

/* The trace leaves out accesses to the last so many pages: smaller TLBs are not known. */
void all_sizes_begin_at(struct all_sizes *sizes, uint64_t entries);
void all_sizes_run(struct all_sizes *sizes, const struct record *record);

/* Writes the rows of a table with these columns, after its header. Sizes between two rows have the
 * misses of the row before. */
#define ALL_SIZES_COLUMNS "entries\tways\tsets\taccesses\tmisses\tmiss_ratio"
void all_sizes_write(struct all_sizes *sizes);
void all_sizes_close(struct all_sizes *sizes);

#endif
