/* point_read.c: reading the points and samples tables, ours and the printed lab's.
 *
 *     struct point_reader *reader = point_reader_open(table, true);
 *     while (point_reader_next(reader, &sample))
 *         series_add(&series, &sample);
 */
#include "access/kernel.h"
#include "access/layout.h"
#include "access/point.h"
#include "base/error.h"
#include "base/range.h"
#include "machine/outcome.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The columns that make a point, then those of a sample; the order is that of column_names. */
enum {
    PAGES,
    LAYOUT,
    SPACING,
    PAGE_BYTES,
    ROLE,
    KERNEL,
    BACKING,
    CHAINS,
    TARGETS,
    OTHERS,
    POINT_COLUMNS,
    SAMPLE = POINT_COLUMNS,
    NS,
    LOADS,
    RUN_S,
    T_S,
    FAULTS,
    SWITCHES,
    MIGRATIONS,
    REFS,
    PROC_S,
    PROC,
    SUM,
    BACKED,
    LOCKED,
    COLUMNS
};

static const char *const column_names[COLUMNS] = {
    "pages",   "layout", "spacing_bytes", "page_bytes", "role",     "kernel",
    "backing", "chains", "targets",       "others",     "sample",   "ns",
    "loads",   "run_s",  "t_s",           "faults",     "switches", "migrations",
    "refs",    "proc_s", "proc",          "sum",        "backed",   "locked"};

struct point_reader {
    struct table *table;
    bool measured;
    int column[COLUMNS];
    bool present[COLUMNS]; /* in the table of the current row */
    unsigned long head;    /* of the table whose defaults these are */
    struct point defaults; /* of what a row does not say */
    struct point point;    /* of the row before; its texts are in `seen` */
    char seen[POINT_COLUMNS][32];
    size_t seen_length[POINT_COLUMNS]; /* 0: none, the default holds */
    double lab_references;             /* of the printed lab's metadata, 0 when not known */
};

static struct point_reader *new_reader(struct table *table, bool measured)
{
    struct point_reader *r = allocate(1, sizeof *r);
    r->table = table;
    r->measured = measured;
    for (int c = 0; c < COLUMNS; c++)
        r->column[c] = table_column(table, column_names[c]);
    return r;
}

struct point_reader *point_reader_open(struct table *table, bool measured)
{
    struct point_reader *r = new_reader(table, measured);
    table_require(table, r->column[PAGES]);
    if (measured)
        table_require_any(table, (const int[]){r->column[NS], r->column[PROC], r->column[PROC_S]},
                          3);
    return r;
}

void point_reader_close(struct point_reader *reader)
{
    free(reader);
}

static bool has(const struct point_reader *r, int column)
{
    return table_has(r->table, r->column[column]);
}

/* A metadata value that starts with a whole number ("64 bytes", "10 Mi"), or `otherwise`, also for
 * 0: there is nothing of that size. */
static uint64_t meta_count(const struct point_reader *r, const char *key, uint64_t otherwise)
{
    const char *text = table_meta(r->table, table_file(r->table), key);
    char *end;
    if (text == NULL || *text < '0' || *text > '9')
        return otherwise;
    unsigned long long value = strtoull(text, &end, 10);
    while (*end == ' ')
        end++;
    if (strncmp(end, "Mi", 2) == 0)
        value <<= 20;
    return value > 0 ? value : otherwise;
}

/* What the rows of a table have where they do not say it themselves. */
static void start_table(struct point_reader *r)
{
    int file = table_file(r->table);
    const char *chain = table_meta(r->table, file, "chain");
    struct point *p = &r->defaults;
    *p = (struct point){0};
    memset(r->seen_length, 0, sizeof r->seen_length);
    r->head = table_head(r->table);
    for (int c = 0; c < COLUMNS; c++)
        r->present[c] = has(r, c);
    if (!has(r, PAGES) || (r->measured && !has(r, NS) && !has(r, PROC) && !has(r, PROC_S)))
        die("%s:%lu: no column '%s' in the header before this row", table_file_name(r->table, file),
            table_line(r->table), has(r, PAGES) ? "ns" : "pages");
    p->page_bytes = meta_count(r, "page_bytes", 4096);
    if (!is_power_of_two(p->page_bytes))
        die("%s: metadata page_bytes %llu: a page has a power of two of bytes",
            table_file_name(r->table, file), (unsigned long long)p->page_bytes);
    p->buffer = meta_count(r, "buffer_bytes", 0);
    p->chain = CHAIN_RANDOM_BOX;
    if (chain != NULL && chain_mode_find(chain, strlen(chain)) >= 0)
        p->chain = (enum chain_mode)chain_mode_find(chain, strlen(chain));
    bool lab = !has(r, NS) && (has(r, PROC) || has(r, PROC_S));
    p->layout = lab ? &layouts[LAYOUT_LINE] : &layouts[LAYOUT_PAGE];
    p->kernel = &kernels[KERNEL_READ];
    p->backing = &backings[BACKING_SCATTERED];
    r->lab_references = (double)meta_count(r, "total number or references",
                                           meta_count(r, "total number of references", 0));
    r->point = *p;
}

static void set_name(struct point_reader *r, int column, struct field name)
{
    struct point *p = &r->point;
    int role = column == ROLE ? role_find(name.text, name.length) : 0;
    switch (column) {
    case LAYOUT:
        p->layout = layout_find(name.text, name.length);
        break;
    case KERNEL:
        p->kernel = kernel_find(name.text, name.length);
        break;
    case BACKING:
        p->backing = backing_find(name.text, name.length);
        break;
    case ROLE:
        p->role = (enum role)role;
        break;
    }
    if (p->layout == NULL || p->kernel == NULL || p->backing == NULL || role < 0)
        table_die(r->table, r->column[column], "unknown %s '%.*s'", column_names[column],
                  (int)name.length, name.text);
}

/* One column of a point that differs from the row before. */
static void set_column(struct point_reader *r, int column, struct field field)
{
    struct table *t = r->table;
    struct point *p = &r->point;
    int c = r->column[column];
    switch (column) {
    case PAGES:
        if (table_count(t, c, &p->pages) && p->pages == 0)
            table_die(t, c, "a chain needs at least one page");
        break;
    case SPACING:
        if (table_count(t, c, &p->spacing) && p->spacing == 0)
            table_die(t, c, "the spacing must not be 0");
        break;
    case PAGE_BYTES:
        if (table_count(t, c, &p->page_bytes) && !is_power_of_two(p->page_bytes))
            table_die(t, c, "a page has a power of two of bytes");
        break;
    case CHAINS:
        if (table_count(t, c, &p->chains) && p->chains == 0)
            table_die(t, c, "at least one chain");
        p->chains = p->chains > 1 ? p->chains : 0;
        break;
    case TARGETS:
        table_count(t, c, &p->targets);
        break;
    case OTHERS:
        table_count(t, c, &p->others);
        break;
    default:
        set_name(r, column, field);
    }
}

/* A column that was given in the row before and is not in this one. */
static void reset_column(struct point_reader *r, int column)
{
    const struct point *d = &r->defaults;
    switch (column) {
    case PAGE_BYTES:
        r->point.page_bytes = d->page_bytes;
        break;
    case LAYOUT:
        r->point.layout = d->layout;
        break;
    case KERNEL:
        r->point.kernel = d->kernel;
        break;
    case BACKING:
        r->point.backing = d->backing;
        break;
    case CHAINS:
        r->point.chains = d->chains;
        break;
    case TARGETS:
        r->point.targets = d->targets;
        break;
    case OTHERS:
        r->point.others = d->others;
        break;
    case ROLE:
        r->point.role = d->role;
        break;
    }
}

/* The spacing where no column gives it. */
static uint64_t default_spacing(struct point_reader *r)
{
    const struct point *p = &r->point;
    if (p->layout->per_page)
        return p->page_bytes;
    if (p->layout->control)
        return meta_count(r, "line_bytes", 64);
    uint64_t lab = meta_count(r, "page size", 0);
    if (lab == 0)
        die("%s:%lu: layout '%s' needs a column 'spacing_bytes' (or metadata 'page size')",
            table_file_name(r->table, table_file(r->table)), table_line(r->table), p->layout->name);
    return lab;
}

/* What only some layouts have: the buffer of `box`, the two kinds of pages of `set`. */
static void finish_point(struct point_reader *r)
{
    struct point *p = &r->point;
    if (r->seen_length[SPACING] == 0)
        p->spacing = default_spacing(r);
    p->buffer = p->layout->whole_buffer ? r->defaults.buffer : 0;
    if (!p->layout->targets)
        p->targets = p->others = 0;
    else if (layout_refuses_targets(p) != NULL)
        table_die(r->table, r->column[TARGETS], "%s", layout_refuses_targets(p));
}

/* Reads what makes the point; columns whose text is that of the row before are not read again.
 * False for a row without pages. */
static bool read_point(struct point_reader *r)
{
    bool changed = false;
    for (int c = 0; c < POINT_COLUMNS; c++) {
        if (!r->present[c] && c != PAGES)
            continue;
        struct field field = table_field(r->table, r->column[c]);
        if (field.text == NULL) {
            if (c == PAGES)
                return false;
            changed = changed || r->seen_length[c] > 0;
            reset_column(r, c);
            r->seen_length[c] = 0;
            continue;
        }
        if (field.length == r->seen_length[c] && field.length <= sizeof r->seen[c] &&
            memcmp(field.text, r->seen[c], field.length) == 0)
            continue;
        set_column(r, c, field);
        changed = true;
        r->seen_length[c] = field.length;
        if (field.length <= sizeof r->seen[c])
            memcpy(r->seen[c], field.text, field.length);
    }
    if (!changed)
        return true;
    finish_point(r);
    return true;
}

static double number_or_nan(const struct point_reader *r, int column)
{
    double value;
    return r->present[column] && table_number(r->table, r->column[column], &value) ? value : NAN;
}

static const char *answer_or_null(const struct point_reader *r, int column)
{
    struct field field = {NULL, 0};
    if (r->present[column])
        field = table_field(r->table, r->column[column]);
    return field.text != NULL ? outcome_kept(field.text, field.length) : NULL;
}

/* Nanoseconds per access: the column, or from the lab's processor time for all references. */
static bool read_time(struct point_reader *r, struct sample *s)
{
    int column = NS;
    s->proc_s = number_or_nan(r, PROC_S);
    if (isnan(s->proc_s))
        s->proc_s = number_or_nan(r, PROC);
    s->refs = number_or_nan(r, REFS);
    if (!table_number(r->table, r->column[NS], &s->ns)) {
        double references = !isnan(s->refs) ? s->refs : r->lab_references;
        if (has(r, NS) || isnan(s->proc_s))
            return false;
        column = has(r, PROC) ? PROC : PROC_S;
        s->ns = s->proc_s * 1e9 / (references > 0 ? references : 1);
    }
    if (s->ns < 0)
        table_die(r->table, r->column[column], "a time cannot be negative");
    return true;
}

/* The current row; false where it was not measured. */
static bool read_row(struct point_reader *r, struct sample *s)
{
    if (table_head(r->table) != r->head)
        start_table(r);
    if (!read_point(r))
        return false;
    s->point = r->point;
    s->point.sample = 0;
    if (r->present[SAMPLE])
        table_count(r->table, r->column[SAMPLE], &s->point.sample);
    s->ns = s->loads = s->run_s = s->t_s = s->faults = s->switches = s->migrations = NAN;
    s->refs = s->proc_s = s->sum = NAN;
    s->backed = s->locked = NULL;
    if (!r->measured)
        return true;
    if (!read_time(r, s))
        return false;
    s->loads = number_or_nan(r, LOADS);
    s->run_s = number_or_nan(r, RUN_S);
    s->t_s = number_or_nan(r, T_S);
    s->faults = number_or_nan(r, FAULTS);
    s->switches = number_or_nan(r, SWITCHES);
    s->migrations = number_or_nan(r, MIGRATIONS);
    s->sum = number_or_nan(r, SUM);
    s->backed = answer_or_null(r, BACKED);
    s->locked = answer_or_null(r, LOCKED);
    return true;
}

bool point_reader_next(struct point_reader *reader, struct sample *sample)
{
    while (table_next(reader->table))
        if (read_row(reader, sample))
            return true;
    return false;
}

bool point_reader_row(struct point_reader **reader, struct table *table, struct sample *sample)
{
    if (*reader == NULL)
        *reader = new_reader(table, true);
    return read_row(*reader, sample);
}
