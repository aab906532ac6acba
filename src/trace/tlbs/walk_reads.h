/* walk_reads.h: which cache serves the reads of page-table entries that walks make.
 *
 * The walks and the accesses of a trace share the caches of a machine description. Page frames,
 * those of tables included, are drawn. A trace leaves out accesses to the last pages (recent.h),
 * whose lines thus take no room: the share that caches serve is an upper bound. */
#ifndef TLBLAB_TLBS_WALK_READS_H
#define TLBLAB_TLBS_WALK_READS_H

#include "tlb/simulate/model.h"
#include "trace/tlbs/tag_array.h"

struct walk_reads {
    unsigned line_shift, table_bits; /* of the index into a table */
    int levels;
    struct tag_array cache[MODEL_ROWS];
    uint64_t served[MODEL_ROWS + 1]; /* reads, by level; the last: by memory */
};

/* The caches begin empty. Dies where the description has none. */
void walk_reads_open(struct walk_reads *w, const struct model *model, unsigned table_bits);

/* A walk of a process for a page of 1 << page_shift bytes, which reads the last `count` tables. */
void walk_reads_walk(struct walk_reads *w, uint32_t process, uint64_t address, unsigned page_shift,
                     unsigned count);

/* An access of the process, whose line goes through the caches, too. */
void walk_reads_access(struct walk_reads *w, uint32_t process, uint64_t address,
                       unsigned page_shift);

/* Writes the table: structure, level, reads, share. */
void walk_reads_write(const struct walk_reads *w);
void walk_reads_close(struct walk_reads *w);

#endif
