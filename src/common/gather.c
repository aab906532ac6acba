/* gather.c: the tables of one run.
 *
 *     struct run_tables run = gather_read(argv + first, argc - first);
 *     for (size_t i = 0; i < run.boundaries.count; i++)
 *         puts(run.boundaries.at[i].text[STRUCTURE]);
 */
#include "gather.h"
#include "error.h"
#include "kernel.h"
#include "layout.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum sample_column { PAGES, LAYOUT, SPACING, PAGE_BYTES, ROLE, SAMPLE, LOADS, NS, SAMPLE_COLUMNS };

static const char *const text_names[GATHER_TEXTS] = {
    [STRUCTURE] = "structure", [LEVEL] = "level",  [CONFIDENCE] = "confidence", [METHOD] = "method",
    [NOTE] = "note",           [OF_FILE] = "file", [OF_HOST] = "host"};
static const char *const number_names[GATHER_NUMBERS] = {[ENTRIES] = "entries",
                                                         [ENTRIES_MIN] = "entries_min",
                                                         [ENTRIES_MAX] = "entries_max",
                                                         [BYTES_MIN] = "bytes_min",
                                                         [BYTES_MAX] = "bytes_max",
                                                         [PLATEAU_NS] = "plateau_ns",
                                                         [STEP_NS] = "step_ns",
                                                         [STEP_PERCENT] = "step_percent",
                                                         [CLAIM] = "claim",
                                                         [ERROR_PERCENT] = "error_percent",
                                                         [PENALTY_NS] = "penalty_ns",
                                                         [LOW_NS] = "low_ns",
                                                         [HIGH_NS] = "high_ns"};
static const char *const sample_names[SAMPLE_COLUMNS] = {
    [PAGES] = "pages",           [LAYOUT] = "layout", [SPACING] = "spacing_bytes",
    [PAGE_BYTES] = "page_bytes", [ROLE] = "role",     [SAMPLE] = "sample",
    [LOADS] = "loads",           [NS] = "ns"};

/* Numbers of those columns in the table. */
struct columns {
    int text[GATHER_TEXTS], number[GATHER_NUMBERS], sample[SAMPLE_COLUMNS];
};

static struct columns ask(struct table *table)
{
    struct columns columns;
    for (int c = 0; c < GATHER_TEXTS; c++)
        columns.text[c] = table_column(table, text_names[c]);
    for (int c = 0; c < GATHER_NUMBERS; c++)
        columns.number[c] = table_column(table, number_names[c]);
    for (int c = 0; c < SAMPLE_COLUMNS; c++)
        columns.sample[c] = table_column(table, sample_names[c]);
    return columns;
}

static void add_row(struct table *table, const struct columns *columns, struct gather_rows *rows)
{
    rows->at = reallocate(rows->at, rows->count + 1, sizeof *rows->at);
    struct gather_row *row = &rows->at[rows->count++];
    for (int c = 0; c < GATHER_TEXTS; c++) {
        struct field field = table_field(table, columns->text[c]);
        snprintf(row->text[c], sizeof row->text[c], "%.*s", (int)field.length,
                 field.text != NULL ? field.text : "");
    }
    for (int c = 0; c < GATHER_NUMBERS; c++)
        if (!table_number(table, columns->number[c], &row->number[c]))
            row->number[c] = NAN;
}

/* What makes the point; the rest of a sample's columns do not matter to a summary. */
static bool read_point(struct table *table, const int *column, struct point *point)
{
    struct field layout = table_field(table, column[LAYOUT]);
    struct field role = table_field(table, column[ROLE]);
    *point = (struct point){.layout = &layouts[0], .backing = &backings[0], .kernel = &kernels[0]};
    if (!table_count(table, column[PAGES], &point->pages))
        return false;
    if (layout.text != NULL && (point->layout = layout_find(layout.text, layout.length)) == NULL)
        table_die(table, column[LAYOUT], "unknown layout");
    if (role.text != NULL && role_find(role.text, role.length) < 0)
        table_die(table, column[ROLE], "unknown role");
    if (role.text != NULL)
        point->role = (enum role)role_find(role.text, role.length);
    if (!table_count(table, column[PAGE_BYTES], &point->page_bytes) || point->page_bytes == 0)
        point->page_bytes = 4096;
    if (!table_count(table, column[SPACING], &point->spacing) || point->spacing == 0)
        point->spacing = point->page_bytes;
    return true;
}

static void add_sample(struct run_tables *run, const int *column)
{
    struct table *table = run->table;
    struct sample sample = {0};
    double loads;
    if (!read_point(table, column, &sample.point) || !table_number(table, column[NS], &sample.ns))
        return;
    if (sample.ns < 0)
        table_die(table, column[NS], "a time cannot be negative");
    table_count(table, column[SAMPLE], &sample.point.sample);
    if (table_number(table, column[LOADS], &loads)) {
        run->loads_least = fmin(run->loads_least, loads);
        run->loads_most = fmax(run->loads_most, loads);
    }
    run->samples_file = table_file_name(table, table_file(table));
    series_add(&run->series, &sample);
}

struct run_tables gather_read(char *const *files, int count)
{
    struct run_tables run = {.table = table_open(files, count), .loads_least = HUGE_VAL};
    struct table *table = run.table;
    struct columns columns = ask(table);
    series_init(&run.series);
    while (table_next(table)) {
        bool method = table_has(table, columns.text[METHOD]);
        if (method && table_has(table, columns.text[STRUCTURE]) &&
            table_has(table, columns.number[ENTRIES]))
            add_row(table, &columns, &run.boundaries);
        else if (method && table_has(table, columns.number[PENALTY_NS]))
            add_row(table, &columns, &run.penalties);
        else if (table_has(table, columns.sample[PAGES]) && table_has(table, columns.sample[NS]))
            add_sample(&run, columns.sample);
        else
            die("%s:%lu: the table is neither samples (columns pages, ns) nor boundaries "
                "(structure, entries, method) nor penalties (method, penalty_ns)",
                table_file_name(table, table_file(table)), table_line(table));
    }
    series_sort(&run.series);
    return run;
}

void gather_free(struct run_tables *run)
{
    series_free(&run->series);
    free(run->boundaries.at);
    free(run->penalties.at);
    table_close(run->table);
}

bool gather_was_run(const struct run_tables *run, const char *program)
{
    const char *key, *value;
    for (size_t k = 0; table_meta_at(run->table, k, &key, &value); k++)
        if (strcmp(key, "program") == 0 && strcmp(value, program) == 0)
            return true;
    return false;
}
