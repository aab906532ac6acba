/* model_row.c: the rows of a machine description. */
#include "tlb/simulate/model_row.h"
#include "tlb/simulate/prefetcher.h"

const char *const model_structures[] = {"dtlb",   "itlb",     "walk", "cache",
                                        "memory", "prefetch", NULL};
static const char *const replacements[] = {"lru", "plru", "random", "fifo", "nru", "srrip", NULL};
const char *const model_relations[] = {"neither", "inclusive", "exclusive", NULL};

#define MEMBER(name) offsetof(struct model_row, name)
const struct column model_columns[] = {
    [MODEL_ROW_STRUCTURE] = COLUMN(WORD, "structure", MEMBER(structure),
                                   COLUMN_LIST(model_structures), .needed = true),
    [MODEL_ROW_LEVEL] = COLUMN(COUNT, "level", MEMBER(level)),
    [MODEL_ROW_ENTRIES] = COLUMN(COUNT, "entries", MEMBER(entries)),
    [MODEL_ROW_WAYS] = COLUMN(COUNT, "ways", MEMBER(ways)),
    [MODEL_ROW_INDEX] = COLUMN(TEXT, "index", MEMBER(index)),
    [MODEL_ROW_REPLACEMENT] = COLUMN(WORD, "replacement", MEMBER(replacement),
                                     COLUMN_LIST(replacements)),
    [MODEL_ROW_PAGE_BYTES] = COLUMN(COUNT, "page_bytes", MEMBER(page_bytes)),
    [MODEL_ROW_NS] = COLUMN(NUMBER, "ns", MEMBER(ns)),
    [MODEL_ROW_RELATION] = COLUMN(WORD, "relation", MEMBER(relation), COLUMN_LIST(model_relations)),
    [MODEL_ROW_COALESCE] = COLUMN(COUNT, "coalesce", MEMBER(coalesce), .view = COLUMN_IF_ROOM),
    [MODEL_ROW_FETCH_BYTES] = COLUMN(COUNT, "fetch_bytes", MEMBER(fetch_bytes),
                                     .view = COLUMN_IF_ROOM),
    [MODEL_ROW_SHARED] = COLUMN(TEXT, "shared", MEMBER(shared), .view = COLUMN_IF_ROOM),
    [MODEL_ROW_PREFETCH] = COLUMN(WORD, "prefetch", MEMBER(prefetch), .option = MODEL_PREFETCH,
                                  COLUMN_LIST(prefetcher_kinds)),
    [MODEL_ROW_TOUCHES] = COLUMN(COUNT, "touches", MEMBER(touches), .option = MODEL_PREFETCH),
    [MODEL_ROW_AHEAD_BYTES] = COLUMN(COUNT, "ahead_bytes", MEMBER(ahead_bytes),
                                     .option = MODEL_PREFETCH),
    [MODEL_ROW_STRIDE_BYTES] = COLUMN(COUNT, "stride_bytes", MEMBER(stride_bytes),
                                      .option = MODEL_PREFETCH),
    [MODEL_ROW_LINE_BYTES] = COLUMN(COUNT, "line_bytes", MEMBER(line_bytes), .option = MODEL_LINE),
    [MODEL_ROW_COLUMNS] = {0},
};
