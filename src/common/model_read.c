/* model_read.c: machine descriptions.
 *
 *     struct model model;
 *     model_read(&model, "tests/models/zen4.tsv");
 */
#include "args.h"
#include "error.h"
#include "model.h"
#include "table.h"
#include <math.h>
#include <string.h>

enum { STRUCTURE, LEVEL, ENTRIES, WAYS, NS, PAGE_BYTES, LINE_BYTES, COLUMNS };

static const char *const column_names[COLUMNS] = {"structure", "level",      "entries",   "ways",
                                                  "ns",        "page_bytes", "line_bytes"};

/* What is simulated so far of the columns that hold a name. */
static const struct {
    const char *column, *known;
} choices[] = {
    {"index", "linear"}, {"replacement", "lru"}, {"relation", "neither"}, {"coalesce", "1"}};

enum { ENTRIES_MOST = 1 << 23 }; /* a cache of 512 MiB: what is walked stays below a few GiB */

enum { CHOICES = sizeof choices / sizeof *choices };

struct description {
    struct table *table;
    int column[COLUMNS], choice[CHOICES];
    const char *path;
};

static bool is_text(struct field field, const char *text)
{
    return field.text != NULL && field.length == strlen(text) &&
           memcmp(field.text, text, field.length) == 0;
}

static bool power_of_two(uint64_t x)
{
    return x != 0 && (x & (x - 1)) == 0;
}

static uint64_t read_meta_bytes(struct description *d, const char *key)
{
    const char *text = table_meta(d->table, 0, key);
    uint64_t bytes = 0;
    if (text == NULL)
        die("%s: no metadata '%s'", d->path, key);
    if (!parse_size(text, &bytes) || bytes == 0)
        die("%s: metadata '%s': '%s' is not a size", d->path, key, text);
    return bytes;
}

static void read_head(struct description *d, struct model *model)
{
    const char *name = table_meta(d->table, 0, "name");
    if (name == NULL)
        die("%s: no metadata 'name'", d->path);
    snprintf(model->name, sizeof model->name, "%s", name);
    model->page_bytes = read_meta_bytes(d, "page_bytes");
    model->line_bytes = read_meta_bytes(d, "line_bytes");
    model->memory_bytes = read_meta_bytes(d, "memory_bytes");
    if (!power_of_two(model->page_bytes) || !power_of_two(model->line_bytes))
        die("%s: metadata: page_bytes and line_bytes must be powers of two", d->path);
    if (model->line_bytes > model->page_bytes || model->page_bytes > model->memory_bytes)
        die("%s: metadata: a line must fit in a page, a page in the memory", d->path);
    for (int c = 0; c < COLUMNS; c++)
        d->column[c] = table_column(d->table, column_names[c]);
    for (int c = 0; c < CHOICES; c++)
        d->choice[c] = table_column(d->table, choices[c].column);
    for (int c = 0; c <= NS; c++)
        table_require(d->table, d->column[c]);
}

/* A load takes some time; what a TLB adds to it may be nothing. */
static double read_ns(struct description *d, bool load)
{
    double ns;
    if (!table_number(d->table, d->column[NS], &ns))
        table_die(d->table, d->column[NS], "missing");
    if (ns < 0 || ns > 1e9 || (load && ns == 0))
        table_die(d->table, d->column[NS], "%g ns is not between 0 and a second", ns);
    return ns;
}

/* A whole number from 1 to `most`. */
static uint64_t read_count(struct description *d, int column, uint64_t most)
{
    uint64_t count;
    if (!table_count(d->table, d->column[column], &count))
        table_die(d->table, d->column[column], "missing");
    if (count == 0 || count > most)
        table_die(d->table, d->column[column], "%llu is not between 1 and %llu",
                  (unsigned long long)count, (unsigned long long)most);
    return count;
}

/* A size that a row may repeat, but not change. */
static void check_bytes(struct description *d, int column, uint64_t expected)
{
    uint64_t bytes;
    if (table_count(d->table, d->column[column], &bytes) && bytes != expected)
        table_die(d->table, d->column[column], "%llu differs from the machine's %llu",
                  (unsigned long long)bytes, (unsigned long long)expected);
}

static void check_choices(struct description *d, bool full)
{
    for (int c = 0; c < CHOICES; c++) {
        struct field field = table_field(d->table, d->choice[c]);
        bool known = field.text == NULL || is_text(field, choices[c].known) ||
                     (c == 0 && full && is_text(field, "full"));
        if (!known)
            table_die(d->table, d->choice[c], "'%.*s' is not simulated; known: %s",
                      (int)field.length, field.text, choices[c].known);
    }
}

static void read_level(struct description *d, struct model_level *levels, bool load)
{
    struct table *t = d->table;
    struct model_level *level = &levels[read_count(d, LEVEL, MODEL_LEVELS) - 1];
    if (level->entries != 0)
        table_die(t, d->column[LEVEL], "this level stands twice");
    level->entries = read_count(d, ENTRIES, ENTRIES_MOST);
    level->ways = level->entries;
    if (table_field(t, d->column[WAYS]).text != NULL)
        level->ways = read_count(d, WAYS, level->entries);
    if (level->entries % level->ways != 0)
        table_die(t, d->column[WAYS], "%llu ways do not divide %llu entries",
                  (unsigned long long)level->ways, (unsigned long long)level->entries);
    level->ns = read_ns(d, load);
    check_choices(d, level->ways == level->entries);
}

/* A walk or the memory: has a time and nothing else. */
static void read_single(struct description *d, double *ns, bool load)
{
    if (!isnan(*ns))
        table_die(d->table, d->column[STRUCTURE], "this structure stands twice");
    for (int c = LEVEL; c <= WAYS; c++)
        if (table_field(d->table, d->column[c]).text != NULL)
            table_die(d->table, d->column[c], "this structure has none: write '-'");
    *ns = read_ns(d, load);
}

static void read_row(struct description *d, struct model *model)
{
    struct field structure = table_field(d->table, d->column[STRUCTURE]);
    check_bytes(d, PAGE_BYTES, model->page_bytes);
    check_bytes(d, LINE_BYTES, model->line_bytes);
    if (is_text(structure, "dtlb"))
        read_level(d, model->tlb, false);
    else if (is_text(structure, "cache"))
        read_level(d, model->cache, true);
    else if (is_text(structure, "walk"))
        read_single(d, &model->walk_ns, false);
    else if (is_text(structure, "memory"))
        read_single(d, &model->memory_ns, true);
    else if (!is_text(structure, "itlb")) /* which no chain of data touches */
        table_die(d->table, d->column[STRUCTURE],
                  "'%.*s' is not one of dtlb, itlb, walk, cache, memory", (int)structure.length,
                  structure.text != NULL ? structure.text : "");
}

static int count_levels(const struct description *d, const char *name,
                        const struct model_level *levels)
{
    int count = 0;
    while (count < MODEL_LEVELS && levels[count].entries > 0)
        count++;
    for (int i = count; i < MODEL_LEVELS; i++)
        if (levels[i].entries > 0)
            die("%s: %s level %d stands there without level %d", d->path, name, i + 1, count + 1);
    return count;
}

void model_read(struct model *model, const char *path)
{
    struct description d = {.table = table_open((char *[]){(char *)path}, 1), .path = path};
    *model = (struct model){.walk_ns = NAN, .memory_ns = NAN};
    read_head(&d, model);
    while (table_next(d.table))
        read_row(&d, model);
    if (table_partial(d.table) != STATUS_DONE)
        die("%s: the description is cut off", path);
    if (isnan(model->memory_ns))
        die("%s: no row for the memory", path);
    model->tlbs = count_levels(&d, "dtlb", model->tlb);
    model->caches = count_levels(&d, "cache", model->cache);
    if (isnan(model->walk_ns)) {
        if (model->tlbs > 0)
            die("%s: no row for the walk, which a machine with a dtlb needs", path);
        model->walk_ns = 0;
    }
    table_close(d.table);
}
