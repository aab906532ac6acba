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
#include "base/number.h"
#include "table/row.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct point_reader {
    struct row_reader rows; /* of sample_row_columns */
    struct table *table;
    bool measured;
    int pages, spacing, page_bytes, targets; /* columns */
    int ns, min_ns, proc, proc_s;            /* columns of times; `proc` is the lab's */
    unsigned long head;      /* table_head() of the table that `defaults` belong to */
    struct sample defaults;  /* values of missing fields */
    double lab_references;   /* from the printed lab's metadata; 0: unknown */
    bool numbered;           /* a moment of this table has been read */
    uint64_t moments_before; /* added to the numbers of its moments */
    uint64_t last_moment;    /* of all tables; 0: none */
};

static struct point_reader *new_reader(struct table *table, bool measured)
{
    struct point_reader *r = allocate(1, sizeof *r);
    *r = (struct point_reader){.rows = row_reader_open(table, sample_row_columns),
                               .table = table,
                               .measured = measured,
                               .pages = table_column(table, "pages"),
                               .spacing = table_column(table, "spacing_bytes"),
                               .page_bytes = table_column(table, "page_bytes"),
                               .targets = table_column(table, "targets"),
                               .ns = table_column(table, "ns"),
                               .min_ns = table_column(table, "min_ns"),
                               .proc = table_column(table, "proc"),
                               .proc_s = table_column(table, "proc_s")};
    return r;
}

struct point_reader *point_reader_open(struct table *table, bool measured)
{
    struct point_reader *r = new_reader(table, measured);
    table_require(table, r->pages);
    if (measured)
        table_require_any(table, (const int[]){r->ns, r->proc, r->proc_s}, 3);
    return r;
}

void point_reader_close(struct point_reader *reader)
{
    free(reader);
}

/* A metadata value that starts with a whole number above 0 ("64 bytes", "10 Mi"); `otherwise` for
 * any other. */
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

static bool is_of_point(const struct column *column)
{
    return column->offset < sizeof(struct point);
}

/* Sets the defaults of a table's rows from its header and metadata. */
static void start_table(struct point_reader *r)
{
    const struct table *t = r->table;
    int file = table_file(t);
    bool ns = table_has(t, r->ns), proc = table_has(t, r->proc) || table_has(t, r->proc_s);
    const char *chain = table_meta(t, file, "chain");
    r->head = table_head(t);
    r->numbered = false;
    if (!table_has(t, r->pages) || (r->measured && !ns && !proc))
        die("%s:%lu: no column '%s' in the header before this row", table_file_name(t, file),
            table_line(t), table_has(t, r->pages) ? "ns" : "pages");
    row_clear(sample_row_columns, &r->defaults);
    struct point *p = &r->defaults.point;
    *p = (struct point){.probe = NAN,
                        .chain = CHAIN_RANDOM_BOX,
                        .layout = &layouts[!ns && proc ? LAYOUT_LINE : LAYOUT_PAGE],
                        .kernel = &kernels[KERNEL_READ],
                        .backing = &backings[BACKING_SCATTERED]};
    p->page_bytes = meta_count(r, "page_bytes", 4096);
    if (!is_power_of_two(p->page_bytes))
        die("%s: metadata page_bytes %llu: a page size is a power of two", table_file_name(t, file),
            (unsigned long long)p->page_bytes);
    p->buffer = meta_count(r, "buffer_bytes", 0);
    if (chain_mode_find(chain) >= 0)
        p->chain = (enum chain_mode)chain_mode_find(chain);
    r->lab_references = (double)meta_count(r, "total number or references",
                                           meta_count(r, "total number of references", 0));
}

/* The spacing of a row without a spacing field. */
static uint64_t default_spacing(struct point_reader *r, const struct point *p)
{
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

/* Sets the members that depend on several columns, and clears those that the layout does not have.
 */
static void finish_point(struct point_reader *r, struct point *p)
{
    if (!is_power_of_two(p->page_bytes))
        table_die(r->table, r->page_bytes, "a page size is a power of two");
    if (p->chains == 1)
        p->chains = 0;
    if (table_field(r->table, r->spacing).text == NULL)
        p->spacing = default_spacing(r, p);
    if (p->moment == COUNT_MISSING)
        p->moment = 0;
    if (p->others_spacing == COUNT_MISSING || !p->layout->targets)
        p->others_spacing = 0;
    if (!p->layout->probes)
        p->touches = p->decoys = 0;
    else if (p->touches == COUNT_MISSING)
        p->touches = 0; /* which the layout refuses */
    if (!p->layout->probes)
        p->probe = 0;
    else if (p->decoys == COUNT_MISSING)
        p->decoys = 0;
    p->buffer = p->layout->whole_buffer ? r->defaults.point.buffer : 0;
    if (!p->layout->targets)
        p->targets = p->others = 0;
    else if (layout_refuses_targets(p) != NULL)
        table_die(r->table, r->targets, "%s", layout_refuses_targets(p));
}

static void read_columns(struct point_reader *r, struct sample *s)
{
    *s = r->defaults;
    for (size_t k = 0; sample_row_columns[k].name != NULL; k++)
        if ((r->measured || is_of_point(&sample_row_columns[k])) &&
            table_field(r->table, r->rows.at[k]).text != NULL)
            row_read_column(&r->rows, k, s);
}

/* Sets ns from its column, or from the lab's processor time of all references. False when neither
 * was measured. */
static bool read_time(struct point_reader *r, struct sample *s)
{
    int column = r->ns;
    if (isnan(s->proc_s))
        table_number(r->table, r->proc, &s->proc_s);
    if (isnan(s->ns)) {
        double references = !isnan(s->refs) ? s->refs : r->lab_references;
        if (table_has(r->table, r->ns) || isnan(s->proc_s))
            return false;
        column = table_has(r->table, r->proc) ? r->proc : r->proc_s;
        s->ns = s->proc_s * 1e9 / (references > 0 ? references : 1);
    }
    if (s->ns < 0 || s->min_ns < 0)
        table_die(r->table, s->ns < 0 ? column : r->min_ns, "a time cannot be negative");
    return true;
}

/* A table whose numbers begin anew has moments of its own; one that goes on where another ended is
 * the same run. */
static void number_moment(struct point_reader *r, struct point *p)
{
    if (p->moment == 0)
        return;
    if (!r->numbered)
        r->moments_before = p->moment > r->last_moment ? 0 : r->last_moment;
    r->numbered = true;
    p->moment += r->moments_before;
    if (p->moment > r->last_moment)
        r->last_moment = p->moment;
}

/* Reads the current row. False for a row that was not measured. */
static bool read_row(struct point_reader *r, struct sample *s)
{
    if (table_head(r->table) != r->head)
        start_table(r);
    if (table_field(r->table, r->pages).text == NULL)
        return false;
    read_columns(r, s);
    finish_point(r, &s->point);
    number_moment(r, &s->point);
    s->row = table_row(r->table);
    return !r->measured || read_time(r, s);
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
