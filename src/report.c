/* report: tells people what was measured, found, not found and why.
 *
 * usage: report [OPTION...] [FILE...]
 * Reads the tables of one run in any order, in several files or joined on stdin: samples,
 * boundaries (detect) and penalties (walkpenalty), told apart by their columns. Writes prose.
 *
 * example: report samples.tsv boundaries.tsv penalties.tsv
 */
#include "args.h"
#include "error.h"
#include "layout.h"
#include "kernel.h"
#include "series.h"
#include "stats.h"
#include "table.h"
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static const struct flag flags[] = {{0}};

static const struct program program = {
    .name = "report",
    .purpose = "tell people what was measured, found, not found and why",
    .operands = "[FILE...]",
    .example = "report samples.tsv boundaries.tsv penalties.tsv",
    .flags = flags,
};

/* Columns of boundaries and penalties, and those of samples. */
enum text { STRUCTURE, LEVEL, CONFIDENCE, METHOD, NOTE, OF_FILE, OF_HOST, TEXTS };
enum number { ENTRIES, ENTRIES_MIN, ENTRIES_MAX, BYTES_MIN, BYTES_MAX, PLATEAU, STEP, PERCENT,
              CLAIM, CLAIM_ERROR, PENALTY, LOW, HIGH, NUMBERS };
enum of_sample { PAGES, LAYOUT, SPACING, PAGE_BYTES, ROLE, SAMPLE, LOADS, NS, OF_SAMPLE };

static const char *const text_names[TEXTS] = {"structure", "level", "confidence", "method",
                                              "note",      "file",  "host"};
static const char *const number_names[NUMBERS] = {
    "entries", "entries_min", "entries_max", "bytes_min",     "bytes_max",  "plateau_ns",
    "step_ns", "step_percent", "claim",      "error_percent", "penalty_ns", "low_ns",
    "high_ns"};
static const char *const sample_names[OF_SAMPLE] = {"pages", "layout", "spacing_bytes",
                                                    "page_bytes", "role", "sample", "loads", "ns"};

/* A boundary or a penalty. */
struct row {
    char text[TEXTS][160]; /* "" where missing */
    double number[NUMBERS]; /* NaN where missing */
};

struct rows {
    struct row *at;
    size_t count;
};

struct run {
    struct table *table;
    int text[TEXTS], number[NUMBERS], sample[OF_SAMPLE]; /* column numbers */
    struct rows boundaries, penalties;
    struct series series;
    const char *samples_file;
    double loads_least, loads_most;
};

/* ---- reading ---- */

static void open_columns(struct run *run)
{
    for (int c = 0; c < TEXTS; c++)
        run->text[c] = table_column(run->table, text_names[c]);
    for (int c = 0; c < NUMBERS; c++)
        run->number[c] = table_column(run->table, number_names[c]);
    for (int c = 0; c < OF_SAMPLE; c++)
        run->sample[c] = table_column(run->table, sample_names[c]);
}

static void add_row(struct run *run, struct rows *rows)
{
    rows->at = reallocate(rows->at, rows->count + 1, sizeof *rows->at);
    struct row *row = &rows->at[rows->count++];
    for (int c = 0; c < TEXTS; c++) {
        struct field field = table_field(run->table, run->text[c]);
        snprintf(row->text[c], sizeof row->text[c], "%.*s", (int)field.length,
                 field.text != NULL ? field.text : "");
    }
    for (int c = 0; c < NUMBERS; c++)
        if (!table_number(run->table, run->number[c], &row->number[c]))
            row->number[c] = NAN;
}

static void add_sample(struct run *run)
{
    struct table *t = run->table;
    const int *column = run->sample;
    struct sample sample = {.point = {.layout = &layouts[0], .backing = &backings[0],
                                      .kernel = &kernels[0], .page_bytes = 4096}};
    struct point *p = &sample.point;
    struct field layout = table_field(t, column[LAYOUT]), role = table_field(t, column[ROLE]);
    double loads;
    if (!table_count(t, column[PAGES], &p->pages) || !table_number(t, column[NS], &sample.ns))
        return;
    if (sample.ns < 0)
        table_die(t, column[NS], "a time cannot be negative");
    if (layout.text != NULL && (p->layout = layout_find(layout.text, layout.length)) == NULL)
        table_die(t, column[LAYOUT], "unknown layout");
    if (role.text != NULL && role_find(role.text, role.length) < 0)
        table_die(t, column[ROLE], "unknown role");
    if (role.text != NULL)
        p->role = (enum role)role_find(role.text, role.length);
    table_count(t, column[PAGE_BYTES], &p->page_bytes);
    if (!table_count(t, column[SPACING], &p->spacing))
        p->spacing = p->page_bytes;
    table_count(t, column[SAMPLE], &p->sample);
    if (table_number(t, column[LOADS], &loads)) {
        run->loads_least = fmin(run->loads_least, loads);
        run->loads_most = fmax(run->loads_most, loads);
    }
    run->samples_file = table_file_name(t, table_file(t));
    series_add(&run->series, &sample);
}

static void read_run(struct run *run)
{
    struct table *t = run->table;
    open_columns(run);
    while (table_next(t)) {
        if (table_has(t, run->text[STRUCTURE]) && table_has(t, run->number[ENTRIES]))
            add_row(run, &run->boundaries);
        else if (table_has(t, run->text[METHOD]) && table_has(t, run->number[PENALTY]))
            add_row(run, &run->penalties);
        else if (table_has(t, run->sample[PAGES]) && table_has(t, run->sample[NS]))
            add_sample(run);
        else
            die("%s:%lu: neither samples (columns pages, ns) nor boundaries (structure, entries) "
                "nor penalties (method, penalty_ns)",
                table_file_name(t, table_file(t)), table_line(t));
    }
    series_sort(&run->series);
}

/* Whether a program had a part in one of the tables, be they empty. */
static bool was_run(const struct run *run, const char *name)
{
    const char *key, *value;
    for (size_t k = 0; table_meta_at(run->table, k, &key, &value); k++)
        if (strcmp(key, "program") == 0 && strcmp(value, name) == 0)
            return true;
    return false;
}
