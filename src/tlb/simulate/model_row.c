/* model_row.c: the rows of a machine description. */
#include "tlb/simulate/model_row.h"
#include "base/number.h"
#include "base/xor_space.h"
#include "tlb/simulate/prefetcher.h"
#include <math.h>
#include <string.h>

const char *const model_structures[] = {"dtlb",   "itlb",     "walk", "cache",
                                        "memory", "prefetch", NULL};
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
                                     COLUMN_LIST(replacement_names)),
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

/* ---- column index ---- */

enum {
    FOLD_MAX = 40,
    BIT_MAX = 40,   /* highest bit that an index bit may use */
    DIGITS_MAX = 19 /* of its number */
};

/* The N of `xorN`, or 0. */
static unsigned read_fold(const char *text)
{
    double fold;
    if (strncmp(text, "xor", 3) != 0 || !parse_number(text + 3, strlen(text + 3), &fold))
        return 0;
    return fold >= 1 && fold <= FOLD_MAX && fold == floor(fold) ? (unsigned)fold : 0;
}

/* Reads a bit number and adds it to the mask; returns where it ends. */
static const char *read_bit(const struct index_column *column, const char *at, uint64_t *mask)
{
    uint64_t bit = 0;
    const char *end = parse_digits(at, at + strlen(at), &bit);
    if (end == at || strchr("^,", *end) == NULL)
        table_die(column->table, column->number, "'%s' is not a list of index bits as in 0^7,1^8",
                  column->text);
    if (end - at > DIGITS_MAX || bit > BIT_MAX)
        table_die(column->table, column->number, "bit %.*s is above %d", (int)(end - at), at,
                  BIT_MAX);
    if (*mask >> bit & 1)
        table_die(column->table, column->number, "bit %llu occurs twice in one index bit",
                  (unsigned long long)bit);
    *mask |= (uint64_t)1 << bit;
    return end;
}

/* If an index bit were the XOR of others, some sets would never be used. */
static void check_masks(const struct index_column *column, const struct assoc_shape *shape,
                        unsigned count)
{
    uint64_t sets = shape->entries / shape->ways;
    struct xor_space space = {0};
    for (unsigned i = 0; i < count; i++)
        if (!xor_space_add(&space, shape->mask[i]))
            table_die(column->table, column->number,
                      "index bit %u of '%s' is the exclusive or of index bits before it", i + 1,
                      column->text);
    if ((uint64_t)1 << count != sets)
        table_die(column->table, column->number,
                  "%u index bits select one of %llu sets, and this structure has %llu", count,
                  1ULL << count, (unsigned long long)sets);
}

/* Reads a list of index bits, such as 0^7,1^8,2^9. */
static void read_masks(const struct index_column *column, struct assoc_shape *shape)
{
    const char *at = column->text;
    unsigned count = 0;
    do {
        if (count == ASSOC_MASKS)
            table_die(column->table, column->number, "more than %d index bits", ASSOC_MASKS);
        at = read_bit(column, at, &shape->mask[count]);
        count += *at != '^';
    } while (*at++ != '\0');
    check_masks(column, shape, count);
    shape->index = INDEX_BITS;
}

void index_read(const struct index_column *column, struct assoc_shape *shape)
{
    uint64_t sets = shape->entries / shape->ways;
    bool full = strcmp(column->text, "full") == 0;
    /* of geometry: it did not find out, or not which bits */
    bool open = strcmp(column->text, "unknown") == 0 || strcmp(column->text, "xor") == 0;
    if (*column->text == '\0' || open || strcmp(column->text, "linear") == 0 || (sets == 1 && full))
        return;
    if (full)
        table_die(column->table, column->number,
                  "'full' means one set, and this structure has %llu", (unsigned long long)sets);
    if (strcmp(column->text, "hashed") == 0)
        shape->index = INDEX_HASHED;
    else if ((shape->fold = read_fold(column->text)) > 0)
        shape->index = INDEX_XOR;
    else if (strchr("0123456789^,", *column->text) != NULL)
        read_masks(column, shape);
    else
        table_die(column->table, column->number,
                  "'%s' is not simulated; known: linear, full, hashed, xor1 to xor%d, and index "
                  "bits as in 0^7,1^8",
                  column->text, FOLD_MAX);
    if (sets == 1)
        table_die(column->table, column->number, "a fully associative structure has only one set");
    if (shape->index == INDEX_XOR && !is_power_of_two(sets))
        table_die(column->table, column->number,
                  "xor needs a number of sets that is a power of two, not %llu",
                  (unsigned long long)sets);
}
