/* model_read.c: reads machine descriptions. */
#include "base/error.h"
#include "base/number.h"
#include "tlb/simulate/model.h"
#include "tlb/simulate/model_row.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Limits of each structure. */
static const struct {
    int levels; /* at most */
    bool is_tlb, has_relation;
} structures[MODEL_STRUCTURES] = {
    [MODEL_DTLB] = {MODEL_LEVELS, true, true},
    [MODEL_ITLB] = {MODEL_LEVELS, true, true},
    [MODEL_WALK] = {MODEL_WALK_LEVELS, false, false},
    [MODEL_CACHE] = {MODEL_LEVELS, false, true},
};

enum { COALESCE_MAX = 64, PAGE_MIN = 64, USER_ADDRESS_BITS_MAX = 63 };

struct description {
    struct table *table;
    const char *path;
    struct model *model;
    struct row_reader reader;
    bool timed;                                       /* it has the column of times */
    int index_bits;                                   /* column of geometry's tables */
    struct model_row row;                             /* the current row */
    unsigned long line[MODEL_STRUCTURES][MODEL_ROWS]; /* line of each row, for messages */
};

/* ---- metadata ---- */

/* The size of a key; if it is missing `otherwise`, or an error if that is 0. */
static uint64_t read_meta_bytes(struct description *d, const char *key, uint64_t otherwise)
{
    const char *text = table_meta(d->table, 0, key);
    uint64_t bytes = 0;
    if (text == NULL && otherwise > 0)
        return otherwise;
    if (text == NULL)
        die("%s: no metadata '%s'", d->path, key);
    if (!parse_size(text, &bytes) || bytes == 0)
        die("%s: metadata '%s': '%s' is not a size", d->path, key, text);
    return bytes;
}

/* Opens the columns. Without times, as in the tables of geometry, levels and their entries suffice.
 */
static void read_columns(struct description *d)
{
    static const int required[] = {MODEL_ROW_STRUCTURE, MODEL_ROW_LEVEL, MODEL_ROW_ENTRIES,
                                   MODEL_ROW_WAYS};
    d->reader = row_reader_open(d->table, model_columns);
    d->index_bits = table_column(d->table, "index_bits");
    d->timed = table_has(d->table, d->reader.at[MODEL_ROW_NS]);
    for (size_t i = 0; i < sizeof required / sizeof *required; i++)
        table_require(d->table, d->reader.at[required[i]]);
}

void model_check_sizes(const struct model *model, const char *path)
{
    if (!is_power_of_two(model->page_bytes) || !is_power_of_two(model->line_bytes))
        die("%s: metadata: page_bytes and line_bytes must be powers of two", path);
    if (model->line_bytes > model->page_bytes || model->page_bytes > model->memory_bytes)
        die("%s: metadata: a line must fit in a page, a page in the memory", path);
    if (model->page_bytes < PAGE_MIN)
        die("%s: metadata: page_bytes must be at least %d", path, PAGE_MIN);
}

static void read_head(struct description *d, struct model *model)
{
    const char *name = table_meta(d->table, 0, "name"), *huge = table_meta(d->table, 0, "huge");
    if (name == NULL && !d->timed)
        name = table_meta(d->table, 0, "cpu") != NULL ? table_meta(d->table, 0, "cpu") : d->path;
    if (name == NULL)
        die("%s: no metadata 'name' (is it a machine description, as in src/tlb/models?)", d->path);
    snprintf(model->name, sizeof model->name, "%s", name);
    model->page_bytes = read_meta_bytes(d, "page_bytes", 0);
    model->line_bytes = read_meta_bytes(d, "line_bytes", d->timed ? 0 : MODEL_LINE_BYTES);
    model->memory_bytes = read_meta_bytes(d, "memory_bytes", d->timed ? 0 : MODEL_MEMORY_BYTES);
    if (table_meta(d->table, 0, "memory_limit_bytes") != NULL)
        model->memory_limit_bytes = read_meta_bytes(d, "memory_limit_bytes", 0);
    model->user_address_bits = (unsigned)read_meta_bytes(d, "user_address_bits",
                                                         MODEL_USER_ADDRESS_BITS);
    if (model->user_address_bits > USER_ADDRESS_BITS_MAX)
        die("%s: metadata: user_address_bits is at most %d", d->path, USER_ADDRESS_BITS_MAX);
    model_check_sizes(model, d->path);
    if (huge != NULL && strcmp(huge, "splintered") != 0)
        die("%s: metadata 'huge': '%s' is not simulated; known: splintered", d->path, huge);
    model->splintered = huge != NULL;
}

/* ---- fields of a row ---- */

static bool is_given(struct description *d, int column)
{
    return table_field(d->table, d->reader.at[column]).text != NULL;
}

/* A load takes more than 0 ns; a TLB or a walk may add 0. */
static double check_ns(struct description *d, bool load)
{
    double ns = d->row.ns;
    if (!d->timed)
        return NAN;
    if (isnan(ns))
        table_die(d->table, d->reader.at[MODEL_ROW_NS], "missing");
    if (ns < 0 || ns > 1e9 || (load && ns == 0))
        table_die(d->table, d->reader.at[MODEL_ROW_NS], "%g ns is not between 0 and a second", ns);
    return ns;
}

/* The count of a column, from 1 to `most`; if it is missing `otherwise`, or an error if that is 0.
 */
static uint64_t check_count(struct description *d, int column, uint64_t most, uint64_t otherwise)
{
    const char *row = (const char *)&d->row;
    uint64_t count = *(const uint64_t *)(const void *)(row + model_columns[column].offset);
    if (count == COUNT_MISSING && otherwise > 0)
        return otherwise;
    if (count == COUNT_MISSING)
        table_die(d->table, d->reader.at[column], "missing");
    if (count == 0 || count > most)
        table_die(d->table, d->reader.at[column], "%llu is not between 1 and %llu",
                  (unsigned long long)count, (unsigned long long)most);
    return count;
}

/* A row may repeat the machine's value but not change it. */
static void check_bytes(struct description *d, int column, uint64_t bytes, uint64_t expected)
{
    if (bytes != COUNT_MISSING && bytes != expected)
        table_die(d->table, d->reader.at[column], "%llu differs from the machine's %llu",
                  (unsigned long long)bytes, (unsigned long long)expected);
}

static void read_shape(struct description *d, struct assoc_shape *shape)
{
    shape->entries = check_count(d, MODEL_ROW_ENTRIES, MODEL_ENTRIES_MAX, 0);
    shape->ways = check_count(d, MODEL_ROW_WAYS, shape->entries, shape->entries);
    if (shape->entries % shape->ways != 0)
        table_die(d->table, d->reader.at[MODEL_ROW_WAYS], "%llu ways do not divide %llu entries",
                  (unsigned long long)shape->ways, (unsigned long long)shape->entries);
    if (d->row.replacement >= 0)
        shape->replacement = (enum assoc_replacement)d->row.replacement;
}

/* Reads the columns for pages, which only TLBs have. */
static void read_pages(struct description *d, bool is_tlb, struct model_level *level)
{
    uint64_t least = d->model->page_bytes, bytes = d->row.page_bytes;
    level->coalesce = check_count(d, MODEL_ROW_COALESCE, is_tlb ? COALESCE_MAX : 1, 1);
    if (!is_power_of_two(level->coalesce))
        table_die(d->table, d->reader.at[MODEL_ROW_COALESCE], "%llu is not a power of two",
                  (unsigned long long)level->coalesce);
    if (!is_tlb)
        check_bytes(d, MODEL_ROW_PAGE_BYTES, bytes, least);
    else if (bytes != COUNT_MISSING && (!is_power_of_two(bytes) || bytes < least))
        table_die(d->table, d->reader.at[MODEL_ROW_PAGE_BYTES],
                  "%llu is neither the machine's %llu nor a larger power of two",
                  (unsigned long long)bytes, (unsigned long long)least);
    else
        level->page_bytes = bytes != COUNT_MISSING ? bytes : 0;
}

/* Reads the bytes that a miss fetches: whole lines within a page, for a cache that misses fill. */
static void read_fetch(struct description *d, int structure, struct model_level *level)
{
    uint64_t line = d->model->line_bytes, bytes = d->row.fetch_bytes;
    if (bytes == COUNT_MISSING)
        return;
    if (structure != MODEL_CACHE)
        table_die(d->table, d->reader.at[MODEL_ROW_FETCH_BYTES],
                  "only a cache fetches lines: write '-'");
    if (level->relation == INCLUSION_EXCLUSIVE && bytes != line)
        table_die(d->table, d->reader.at[MODEL_ROW_FETCH_BYTES],
                  "a miss does not fill an exclusive cache");
    if (!is_power_of_two(bytes) || bytes < line || bytes > d->model->page_bytes)
        table_die(d->table, d->reader.at[MODEL_ROW_FETCH_BYTES],
                  "%llu is not a power of two from a line to a page", (unsigned long long)bytes);
    level->fetch_bytes = bytes;
}

/* The index of a level. geometry has the bits of a page number in a column of their own, and where
 * it does not know the ways, bits and words say nothing of the one set that is assumed. */
static void read_index(struct description *d, bool is_tlb, struct assoc_shape *shape)
{
    struct index_column index = {d->table, d->reader.at[MODEL_ROW_INDEX], d->row.index};
    struct field bits = table_field(d->table, d->index_bits);
    if (!d->timed && !is_given(d, MODEL_ROW_WAYS))
        return;
    if (is_tlb && bits.text != NULL)
        index = (struct index_column){d->table, d->index_bits, field_keep(bits)};
    index_read(&index, shape);
}

/* ---- rows ---- */

/* Whether two rows may apply to the same page size. */
static bool same_pages(const struct model_level *a, const struct model_level *b)
{
    return a->page_bytes == 0 || b->page_bytes == 0 || a->page_bytes == b->page_bytes;
}

static uint64_t hash_key(const struct model *model, int structure, int number)
{
    uint64_t key = random_mix((uint64_t)structure, (uint64_t)number);
    for (const char *at = model->name; *at != '\0'; at++)
        key = random_mix(key, (unsigned char)*at);
    return key;
}

static enum relation read_relation(struct description *d, int structure, int number)
{
    enum relation relation = d->row.relation >= 0 ? (enum relation)d->row.relation
                                                  : INCLUSION_NEITHER;
    if (relation != INCLUSION_NEITHER && !structures[structure].has_relation)
        table_die(d->table, d->reader.at[MODEL_ROW_RELATION],
                  "page-walk caches have no relation: write 'neither'");
    if (relation != INCLUSION_NEITHER && number == 1)
        table_die(d->table, d->reader.at[MODEL_ROW_RELATION], "level 1 has no level before it");
    return relation;
}

static void read_level(struct description *d, int structure, struct model_rows *rows)
{
    struct table *t = d->table;
    struct model_level level = {0};
    level.number = (int)check_count(d, MODEL_ROW_LEVEL, (uint64_t)structures[structure].levels, 0);
    if (!d->timed && !is_given(d, MODEL_ROW_ENTRIES) && level.number > 1) {
        warn("%s:%lu: level %d is left out, as its entries are not known", d->path, table_line(t),
             level.number);
        return;
    }
    read_pages(d, structures[structure].is_tlb, &level);
    for (int i = 0; i < rows->count; i++)
        if (rows->at[i].number == level.number && same_pages(&rows->at[i], &level))
            table_die(t, d->reader.at[MODEL_ROW_LEVEL], "this level has two rows");
    if (rows->count == MODEL_ROWS)
        table_die(t, d->reader.at[MODEL_ROW_STRUCTURE], "more than %d rows of this structure",
                  MODEL_ROWS);
    read_shape(d, &level.shape);
    read_index(d, structures[structure].is_tlb, &level.shape);
    level.shape.key = hash_key(d->model, structure, level.number);
    level.relation = read_relation(d, structure, level.number);
    read_fetch(d, structure, &level);
    if (is_given(d, MODEL_ROW_SHARED))
        level.shared = d->row.shared;
    level.ns = check_ns(d, structure == MODEL_CACHE);
    d->line[structure][rows->count] = table_line(t);
    rows->at[rows->count++] = level;
}

/* Dies for a value in a column of levels, except the size of a page and column `allowed`. */
static void refuse_levels(struct description *d, int allowed, const char *what)
{
    for (int c = MODEL_ROW_LEVEL; c <= MODEL_ROW_FETCH_BYTES; c++)
        if (c != MODEL_ROW_PAGE_BYTES && c != allowed && is_given(d, c))
            table_die(d->table, d->reader.at[c], "%s has no such value: write '-'", what);
}

/* A walk or the memory, which has only a time. */
static void read_single(struct description *d, double *ns, bool load)
{
    if (!isnan(*ns))
        table_die(d->table, d->reader.at[MODEL_ROW_STRUCTURE], "this structure has two rows");
    refuse_levels(d, MODEL_ROW_NS, "this structure");
    check_bytes(d, MODEL_ROW_PAGE_BYTES, d->row.page_bytes, d->model->page_bytes);
    *ns = check_ns(d, load);
}

/* A prefetcher, which has its own columns. */
static void read_prefetcher(struct description *d, struct prefetchers *all)
{
    enum { TOUCHES_MAX = 64 };
    uint64_t page = d->model->page_bytes;
    if (all->count == PREFETCHERS_MAX)
        table_die(d->table, d->reader.at[MODEL_ROW_STRUCTURE], "more than %d prefetchers",
                  PREFETCHERS_MAX);
    refuse_levels(d, -1, "a prefetcher");
    if (d->row.prefetch < 0)
        table_die(d->table, d->reader.at[MODEL_ROW_PREFETCH], "missing");
    struct prefetcher *p = &all->at[all->count++];
    p->kind = (enum prefetcher_kind)d->row.prefetch;
    p->touches = check_count(d, MODEL_ROW_TOUCHES, TOUCHES_MAX, 1);
    p->ahead_bytes = is_given(d, MODEL_ROW_AHEAD_BYTES)
                         ? check_count(d, MODEL_ROW_AHEAD_BYTES, page, 0)
                         : 0;
    p->stride_bytes = check_count(d, MODEL_ROW_STRIDE_BYTES, page, page);
}

static struct model_rows *rows_of(struct model *model, int structure)
{
    struct model_rows *const rows[] = {&model->dtlb, &model->itlb, &model->walk, &model->cache};
    return rows[structure];
}

static void read_row(struct description *d, struct model *model)
{
    row_read(&d->reader, &d->row);
    int structure = d->row.structure;
    for (int c = MODEL_ROW_PREFETCH; c <= MODEL_ROW_STRIDE_BYTES && structure != MODEL_PREFETCHER;
         c++)
        if (is_given(d, c))
            table_die(d->table, d->reader.at[c], "only prefetch rows have this: write '-'");
    check_bytes(d, MODEL_ROW_LINE_BYTES, d->row.line_bytes, model->line_bytes);
    if (is_given(d, MODEL_ROW_SHARED) && !structures[structure].is_tlb)
        table_die(d->table, d->reader.at[MODEL_ROW_SHARED],
                  "only rows of a TLB share a structure: write '-'");
    if (structure == MODEL_MEMORY)
        read_single(d, &model->memory_ns, true);
    else if (structure == MODEL_PREFETCHER)
        read_prefetcher(d, &model->prefetchers);
    else if (structure == MODEL_WALK && !is_given(d, MODEL_ROW_LEVEL))
        read_single(d, &model->walk_ns, false);
    else
        read_level(d, structure, rows_of(model, structure));
}

/* ---- the whole description ---- */

/* Rows may come in any order, so levels are compared once all of them are read. */
static void check_level(const struct description *d, int structure, const struct model_rows *rows,
                        int row)
{
    const struct model_level *level = &rows->at[row];
    bool found = level->number == 1;
    unsigned long line = d->line[structure][row];
    for (int i = 0; i < rows->count; i++) {
        const struct model_level *before = &rows->at[i];
        if (before->number != level->number - 1 || !same_pages(before, level))
            continue;
        found = true;
        if (level->relation != INCLUSION_NEITHER && level->coalesce != before->coalesce)
            die("%s:%lu: column 'coalesce': an %s level must have the value of the level before "
                "it, line %lu",
                d->path, line, model_relations[level->relation], d->line[structure][i]);
    }
    if (!found)
        die("%s:%lu: column 'level': %s level %d has no level %d before it", d->path, line,
            model_structures[structure], level->number, level->number - 1);
}

/* Rows that share a structure must describe it identically. */
static void check_shared(const struct description *d, int structure, int row)
{
    const struct model_level *level = &rows_of(d->model, structure)->at[row];
    for (int s = MODEL_DTLB; s <= MODEL_ITLB && level->shared != NULL; s++)
        for (int i = 0; i < rows_of(d->model, s)->count; i++) {
            const struct model_level *other = &rows_of(d->model, s)->at[i];
            if (other->shared != level->shared ||
                (other->number == level->number && other->shape.entries == level->shape.entries &&
                 other->shape.ways == level->shape.ways &&
                 other->shape.index == level->shape.index &&
                 other->shape.fold == level->shape.fold &&
                 memcmp(other->shape.mask, level->shape.mask, sizeof level->shape.mask) == 0 &&
                 other->shape.replacement == level->shape.replacement))
                continue;
            die("%s:%lu: column 'shared': line %lu shares '%s' but has another level, shape, index "
                "or replacement",
                d->path, d->line[structure][row], d->line[s][i], level->shared);
        }
}

static void check_structure(const struct description *d, int structure)
{
    const struct model *model = d->model;
    const struct model_rows *rows = rows_of(d->model, structure);
    const struct model_level *levels[MODEL_LEVELS];
    const char *name = model_structures[structure];
    for (int i = 0; i < rows->count; i++) {
        check_level(d, structure, rows, i);
        check_shared(d, structure, i);
    }
    if (structure == MODEL_CACHE || rows->count == 0)
        return;
    if (model_levels(rows, model->page_bytes, levels) == 0)
        die("%s: no %s row for pages of %llu bytes, the machine's own", d->path, name,
            (unsigned long long)model->page_bytes);
    if (isnan(model->walk_ns) && d->timed)
        die("%s: no row for the walk, which a machine with a %s needs", d->path,
            structure == MODEL_WALK ? "page-walk cache" : name);
}

/* Times of a machine without them, roughly those of a core at 4 GHz. [prior] Where none or only the
 * first of its caches is known, other lines are in the next, so that misses of the TLB show. */
static void fill_times(struct model *model)
{
    static const double cache_ns[MODEL_LEVELS] = {1.2, 4, 15, 40};
    enum { KINDS = 4 };
    struct model_rows *const all[KINDS] = {&model->dtlb, &model->itlb, &model->walk, &model->cache};
    for (int s = 0; s < KINDS; s++)
        for (int i = 0; i < all[s]->count; i++) {
            struct model_level *level = &all[s]->at[i];
            level->ns = all[s] == &model->cache ? cache_ns[level->number - 1]
                                                : 2 * (level->number - 1);
        }
    model->walk_ns = 15;
    model->memory_ns = model->cache.count < 2 ? cache_ns[model->cache.count] : 90;
}

static void read_rows(struct description *d, struct model *model)
{
    read_columns(d);
    read_head(d, model);
    model->untimed = !d->timed;
    while (table_next(d->table))
        read_row(d, model);
    if (isnan(model->memory_ns) && d->timed)
        die("%s: no row for the memory", d->path);
    for (int structure = 0; structure < MODEL_MEMORY; structure++)
        check_structure(d, structure);
    if (isnan(model->walk_ns))
        model->walk_ns = 0;
}

void model_read(struct model *model, const char *path)
{
    struct description d = {.path = path, .model = model};
    *model = (struct model){.walk_ns = NAN, .memory_ns = NAN};
    d.table = table_open((char *[]){(char *)path}, 1);
    if (table_has(d.table, table_column(d.table, "key")))
        model_claims(model, d.table);
    else
        read_rows(&d, model);
    if (table_partial(d.table))
        die("%s: the description is cut off", path);
    table_close(d.table);
    if (model->untimed)
        fill_times(model);
}
