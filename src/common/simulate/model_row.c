/* model_row.c: the rows of a machine description. */
#include "simulate/model_row.h"
#include "simulate/model.h"

const char *const model_structures[] = {"dtlb",   "itlb",     "walk", "cache",
                                        "memory", "prefetch", NULL};
static const char *const replacements[] = {"lru", "plru", "random", "fifo", "nru", "srrip", NULL};
const char *const model_relations[] = {"neither", "inclusive", "exclusive", NULL};

#define MEMBER(name) offsetof(struct model_row, name)
const struct column model_columns[] = {
    [STRUCTURE] = COLUMN(WORD, "structure", MEMBER(structure), COLUMN_LIST(model_structures),
                         .needed = true),
    [LEVEL] = COLUMN(COUNT, "level", MEMBER(level)),
    [ENTRIES] = COLUMN(COUNT, "entries", MEMBER(entries)),
    [WAYS] = COLUMN(COUNT, "ways", MEMBER(ways)),
    [INDEX] = COLUMN(TEXT, "index", MEMBER(index)),
    [REPLACEMENT] = COLUMN(WORD, "replacement", MEMBER(replacement), COLUMN_LIST(replacements)),
    [PAGE_BYTES] = COLUMN(COUNT, "page_bytes", MEMBER(page_bytes)),
    [NS] = COLUMN(NUMBER, "ns", MEMBER(ns)),
    [RELATION] = COLUMN(WORD, "relation", MEMBER(relation), COLUMN_LIST(model_relations)),
    [COALESCE] = COLUMN(COUNT, "coalesce", MEMBER(coalesce)),
    [FETCH_BYTES] = COLUMN(COUNT, "fetch_bytes", MEMBER(fetch_bytes)),
    [SHARED] = COLUMN(TEXT, "shared", MEMBER(shared)),
    [PREFETCH] = COLUMN(WORD, "prefetch", MEMBER(prefetch), .option = MODEL_PREFETCH,
                        COLUMN_LIST(prefetcher_kinds)),
    [TOUCHES] = COLUMN(COUNT, "touches", MEMBER(touches), .option = MODEL_PREFETCH),
    [AHEAD_BYTES] = COLUMN(COUNT, "ahead_bytes", MEMBER(ahead_bytes), .option = MODEL_PREFETCH),
    [STRIDE_BYTES] = COLUMN(COUNT, "stride_bytes", MEMBER(stride_bytes), .option = MODEL_PREFETCH),
    [LINE_BYTES] = COLUMN(COUNT, "line_bytes", MEMBER(line_bytes), .option = MODEL_LINE),
    [COLUMNS] = {0},
};
