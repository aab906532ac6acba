/* model_row.h: the rows of a machine description, as model_read.c reads and model_write.c writes
 * them. To add a column, see table/row.h; columns are numbered as in model_columns. */
#ifndef TLBLAB_SIMULATE_MODEL_ROW_H
#define TLBLAB_SIMULATE_MODEL_ROW_H

#include "table/row.h"
#include "table/table.h"
#include "tlb/simulate/assoc.h"
#include <stdint.h>

enum {
    MODEL_DTLB,
    MODEL_ITLB,
    MODEL_WALK,
    MODEL_CACHE,
    MODEL_MEMORY,
    MODEL_PREFETCHER,
    MODEL_STRUCTURES
};

enum {
    MODEL_ROW_STRUCTURE,
    MODEL_ROW_LEVEL,
    MODEL_ROW_ENTRIES,
    MODEL_ROW_WAYS,
    MODEL_ROW_INDEX,
    MODEL_ROW_REPLACEMENT,
    MODEL_ROW_PAGE_BYTES,
    MODEL_ROW_NS,
    MODEL_ROW_RELATION,
    MODEL_ROW_COALESCE,
    MODEL_ROW_FETCH_BYTES,
    MODEL_ROW_SHARED,
    MODEL_ROW_PREFETCH, /* from here on prefetchers only; written if there are any */
    MODEL_ROW_TOUCHES,
    MODEL_ROW_AHEAD_BYTES,
    MODEL_ROW_STRIDE_BYTES,
    MODEL_ROW_LINE_BYTES, /* read but not written: it is metadata */
    MODEL_ROW_COLUMNS
};

/* Bits of `options`: the columns of prefetchers, and the line size, which is never written. */
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

/* Names of structures, and of enum relation; each list ends with NULL. */
extern const char *const model_structures[], *const model_relations[];

/* Column `index` of the current row. */
struct index_column {
    struct table *table;
    int number;
    const char *text;
};

/* Reads how the index is computed: linear, full, hashed, xor1 to xor40, or a list of index bits,
 * such as 0^7,1^8,2^9. The entries and ways of the shape are known; dies if the column is wrong. */
void index_read(const struct index_column *column, struct assoc_shape *shape);

#endif
