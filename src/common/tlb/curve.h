/* curve.h: the misses of a trace for every size of a TLB. */
#ifndef TLBLAB_TLB_CURVE_H
#define TLBLAB_TLB_CURVE_H

#include "tlb/pages.h"
#include "trace/record.h"

struct curve;

/* `shards`: 0, or the pages that are followed (stack_distance.h). `ways`: 0 for fully associative
 * TLBs, or the ways of TLBs of 1, 2, 4, … 65536 sets. Each thread has its own TLB; their misses add
 * up. */
struct curve *curve_open(struct pages *pages, uint64_t shards, uint64_t ways);

/* The trace leaves out accesses to the last so many pages: smaller TLBs are not known. */
void curve_begin_at(struct curve *curve, uint64_t entries);
void curve_run(struct curve *curve, const struct record *record);

/* Writes the rows of a table with these columns, after its header. Sizes between two rows have the
 * misses of the row before. */
#define CURVE_COLUMNS "entries\tways\tsets\taccesses\tmisses\tmiss_ratio"
void curve_write(struct curve *curve);
void curve_close(struct curve *curve);

#endif
