/* run_tables.c: the tables of one run. */
#include "report/run/run_tables.h"
#include "access/impossible.h"
#include "access/kernel.h"
#include "access/layout.h"
#include "access/point.h"
#include "base/error.h"
#include "memory/cores/pairs.h"
#include "report/run/comparison.h"
#include "tlb/cost/penalty.h"
#include "tlb/detect/datasets.h"
#include "tlb/detect/method.h"
#include "tlb/detect/tlb_levels.h"
#include "tlb/simulate/model_row.h"
#include "trace/saving/cost_row.h"
#include "trace/saving/watch.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MEMBER(name)   offsetof(struct miss_row, name)
#define GROUPING(name) COLUMN(TEXT, #name, MEMBER(name))
const struct column miss_columns[] = {
    GROUPING(object),
    GROUPING(function),
    GROUPING(line),
    GROUPING(page),
    GROUPING(thread),
    GROUPING(phase),
    GROUPING(group),
    GROUPING(permission),
    COLUMN(NUMBER, "misses", MEMBER(misses)),
    COLUMN(NUMBER, "seconds", MEMBER(seconds)),
    COLUMN(NUMBER, "before", MEMBER(before)),
    COLUMN(NUMBER, "after", MEMBER(after)),
    {0},
};

const struct column *const run_tables_columns[] = {
    boundary_columns,
    penalty_columns,
    organisation_columns,
    latency_columns,
    rate_columns,
    sample_row_columns,
    pair_columns,
    core_group_columns,
    model_columns,
    cost_columns,
    watch_columns,
    comparison_columns,
    NULL,
};

bool run_tables_is_text(struct field name)
{
    for (size_t k = 0; run_tables_columns[k] != NULL; k++)
        for (const struct column *c = run_tables_columns[k]; c->name != NULL; c++)
            if (strlen(c->name) == name.length && memcmp(c->name, name.text, name.length) == 0)
                return column_is_text(c);
    return false;
}

/* ---- kinds of table ---- */

/* A new row at the end of one of the lists. */
#define NEXT_ROW(rows)                                                                             \
    ((rows).at = reallocate((rows).at, (rows).count + 1, sizeof *(rows).at),                       \
     &(rows).at[(rows).count++])

/* A table is of the first kind whose columns it has. */
enum { BOUNDARIES, PENALTIES, ORGANISATION, LATENCIES, RATES, MISSES, CHANGES, KINDS };
static const struct {
    const struct column *columns;
    const char *names[3];
} kinds[] = {
    [BOUNDARIES] = {boundary_columns, {"method", "structure", "entries"}},
    [PENALTIES] = {penalty_columns, {"method", "penalty_ns", NULL}},
    [ORGANISATION] = {organisation_columns, {"sets", "relation", NULL}},
    [LATENCIES] = {latency_columns, {"structure", "idle_cycles", NULL}},
    [RATES] = {rate_columns, {"op", "gb_per_s", NULL}},
    [MISSES] = {miss_columns, {"misses", "share", NULL}},
    [CHANGES] = {miss_columns, {"before", "change_percent", NULL}},
};

static void add_rate(struct run_tables *run, const struct row_reader *reader)
{
    struct rate_row *row = NEXT_ROW(run->rates);
    row_read(reader, row);
    if (row->gb_per_s <= 0 || row->bytes <= 0)
        table_die(run->table, table_column(run->table, row->gb_per_s <= 0 ? "gb_per_s" : "bytes"),
                  "expected more than 0");
}

static void add_misses(struct run_tables *run, const struct row_reader *reader)
{
    struct miss_row *row = NEXT_ROW(run->misses);
    row_read(reader, row);
    row->table = table_head(run->table);
}

static void add_row(struct run_tables *run, size_t kind, const struct row_reader *reader)
{
    if (kind == BOUNDARIES)
        boundary_read(reader, NEXT_ROW(run->boundaries));
    else if (kind == PENALTIES)
        row_read(reader, NEXT_ROW(run->penalties));
    else if (kind == ORGANISATION)
        row_read(reader, NEXT_ROW(run->organisation));
    else if (kind == LATENCIES)
        row_read(reader, NEXT_ROW(run->latencies));
    else if (kind == MISSES || kind == CHANGES)
        add_misses(run, reader);
    else
        add_rate(run, reader);
}

static bool has_column(struct table *table, const char *name)
{
    return table_has(table, table_column(table, name));
}

/* The kind of the current row's table; KINDS: none of these. */
static size_t kind_of(struct table *table)
{
    size_t k = 0;
    for (; k < KINDS; k++) {
        const char *const *names = kinds[k].names;
        if (has_column(table, names[0]) && has_column(table, names[1]) &&
            (names[2] == NULL || has_column(table, names[2])))
            break;
    }
    return k;
}

/* ---- samples ---- */

/* Page faults and migrations of the sample. */
static void add_disturbances(struct run_tables *run, const struct sample *sample)
{
    static const double faults_much = 0.01; /* of the loads [prior] */
    double bytes = point_span(&sample->point);
    if (sample->faults >= faults_much * sample->loads && !(run->faults_bytes <= bytes))
        run->faults_bytes = bytes;
    run->moved += sample->migrations > 0;
    run->counted = run->counted || !isnan(sample->faults) || !isnan(sample->switches);
}

/* Keeps the last value of a column; a "no" is never overwritten. */
static void keep_value(const char **kept, const char *value)
{
    bool refused = *kept != NULL && strncmp(*kept, "no", 2) == 0;
    if (value != NULL && *value != '\0' && !refused)
        *kept = value;
}

static void add_sample(struct run_tables *run, const struct sample *sample)
{
    struct table *table = run->table;
    if (!isnan(sample->loads)) {
        run->loads_min = fmin(run->loads_min, sample->loads);
        run->loads_max = fmax(run->loads_max, sample->loads);
    }
    if (has_column(table, "layout") && has_column(table, "ns"))
        run->samples_file = table_file_name(table, table_file(table));
    run->run_s += sample->run_s;
    keep_value(&run->backed[sample->point.backing - backings], sample->backed);
    keep_value(&run->locked, sample->locked);
    add_disturbances(run, sample);
    series_add(&run->series, sample);
}

/* Whether the current table has samples that point_reader reads. */
static bool is_sample(struct table *table)
{
    return has_column(table, "pages") &&
           (has_column(table, "ns") || has_column(table, "proc") || has_column(table, "proc_s"));
}

/* ---- all of them ---- */

/* Dies if the tables before were of another machine. Rows that name their file or host may be of
 * several, and a card's tables name the card as their processor. */
static void check_machine(struct table *table, struct table_machine *first)
{
    int file = table_file(table);
    char how[TABLE_DIFFERENCE];
    if (has_column(table, "file") || has_column(table, "host") ||
        table_meta(table, file, "device") != NULL)
        return;
    if (table_other_machine(table, first, how))
        die("%s:%lu: a table of another machine: %s (compare A B shows how two differ)",
            table_file_name(table, file), table_header_line(table), how);
}

bool run_tables_has_kind(const char *file)
{
    char *files[] = {(char *)file};
    struct table *table = table_open(files, 1);
    bool has = kind_of(table) < KINDS || is_sample(table);
    table_close(table);
    return has;
}

_Noreturn static void refuse_kind(struct table *table)
{
    die("%s:%lu: the table is neither samples (columns pages, ns) nor boundaries (structure, "
        "entries, method) nor penalties (method, penalty_ns) nor organisation (sets, relation) nor "
        "latencies (structure, idle_cycles) nor rates (op, gb_per_s) nor misses (misses, share)",
        table_file_name(table, table_file(table)), table_header_line(table));
}

struct run_tables run_tables_read(char *const *files, int count)
{
    struct run_tables run = {
        .files = run_files_of(files, count), .loads_min = HUGE_VAL, .faults_bytes = NAN};
    run.table = table_open(run.files.at, run.files.count);
    struct table *table = run.table;
    struct row_reader readers[KINDS];
    struct point_reader *points = NULL;
    struct sample sample;
    struct table_machine machine = {0};
    unsigned long head = 0;
    size_t kind = KINDS;
    for (size_t k = 0; k < KINDS; k++)
        readers[k] = row_reader_open(table, kinds[k].columns);
    series_init(&run.series);
    if (kind_of(table) == KINDS && !is_sample(table)) /* of the first table, even without rows */
        refuse_kind(table);
    while (table_next(table)) {
        if (table_head(table) != head) {
            kind = kind_of(table);
            check_machine(table, &machine);
        }
        if (kind < KINDS)
            add_row(&run, kind, &readers[kind]);
        else if (table_head(table) != head && !is_sample(table))
            refuse_kind(table);
        else if (point_reader_row(&points, table, &sample))
            add_sample(&run, &sample);
        head = table_head(table);
    }
    point_reader_close(points);
    impossible_remove(&run.series, table);
    run.cut = series_warn_of_cut(&run.series, table);
    return run;
}

void run_tables_free(struct run_tables *run)
{
    series_free(&run->series);
    free(run->rates.at);
    free(run->misses.at);
    free(run->boundaries.at);
    free(run->penalties.at);
    free(run->organisation.at);
    free(run->latencies.at);
    table_close(run->table);
    run_files_free(&run->files);
}

bool run_tables_was_run(const struct run_tables *run, const char *program)
{
    const char *key, *value;
    for (size_t k = 0; table_meta_at(run->table, k, &key, &value); k++)
        if (strcmp(key, "program") == 0 && strcmp(value, program) == 0)
            return true;
    return false;
}

double run_tables_number(const struct run_tables *run, const char *key)
{
    const char *text = table_meta(run->table, -1, key);
    double value;
    return text != NULL && parse_number(text, strlen(text), &value) && value > 0 ? value : NAN;
}

static void find_boundaries(struct run_tables *run)
{
    struct boundaries found = {0};
    tlb_levels_find(&run->series, &found);
    boundaries_judge(&found, table_meta(run->table, -1, "sibling_busy"));
    for (size_t i = 0; i < found.count; i++) {
        found.at[i].label = (struct row_label){"", ""};
        *NEXT_ROW(run->boundaries) = found.at[i];
    }
}

static void find_penalties(struct run_tables *run)
{
    struct penalty penalties[PENALTIES_ROOM];
    bool guest = names_hypervisor(table_meta(run->table, -1, "hypervisor"));
    size_t count = penalties_find(&run->series, guest, penalties);
    for (size_t i = 0; i < count; i++) {
        penalties[i].label = (struct row_label){"", ""};
        *NEXT_ROW(run->penalties) = penalties[i];
    }
}

void run_tables_complete(struct run_tables *run)
{
    if ((run->series.count == 0 && !run->cut) || !methods[METHOD_CONTROL].suits(&run->series))
        return;
    if (run->boundaries.count == 0 && !run_tables_was_run(run, "detect"))
        find_boundaries(run);
    if (run->penalties.count == 0 && !run_tables_was_run(run, "walkpenalty"))
        find_penalties(run);
}

bool run_tables_lacks_tlb(const struct run_tables *run)
{
    return run->rates.count + run->misses.count > 0 && !run->cut &&
           run->series.count + run->boundaries.count + run->penalties.count +
                   run->organisation.count ==
               0;
}

bool run_tables_point_is_plain(const struct point *point)
{
    return !point->kernel->executes && point->backing->scattered;
}
