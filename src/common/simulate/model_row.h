/* model_row.h: the rows of a machine description, as model_read.c reads and model_write.c writes
 * them. To add a column, see table/row.h; the number of a column is its place in model_columns. */
#ifndef TLBLAB_SIMULATE_MODEL_ROW_H
#define TLBLAB_SIMULATE_MODEL_ROW_H

#include "table/row.h"
#include <stdint.h>

enum { DTLB, ITLB, WALK, CACHE, MEMORY, PREFETCHER, STRUCTURES };

enum {
    STRUCTURE,
    LEVEL,
    ENTRIES,
    WAYS,
    INDEX,
    REPLACEMENT,
    PAGE_BYTES,
    NS,
    RELATION,
    COALESCE,
    FETCH_BYTES,
    SHARED,
    PREFETCH, /* from here on of prefetchers alone, and written where there are some */
    TOUCHES,
    AHEAD_BYTES,
    STRIDE_BYTES,
    LINE_BYTES, /* read, but not written: it is metadata */
    COLUMNS
};

/* Bits of `options`: the columns of prefetchers, and the line, which no table is written with. */
enum { MODEL_PREFETCH = 1, MODEL_LINE = 2 };

struct model_row {
    int structure;
    uint64_t level, entries, ways;
    const char *index;
    int replacement;
    uint64_t page_bytes;
    double ns;
    int relation;
    uint64_t coalesce, fetch_bytes;
    const char *shared;
    int prefetch; /* which kind */
    uint64_t touches, ahead_bytes, stride_bytes;
    uint64_t line_bytes;
};
extern const struct column model_columns[];

/* Names of structures, and of enum relation; NULL ends each list. */
extern const char *const model_structures[], *const model_relations[];

#endif
