/* run_tables.c: the tables of one run.
 *
 *     struct run_tables run = run_tables_read(argv + first, argc - first);
 *     for (size_t i = 0; i < run.boundaries.count; i++)
 *         puts(run.boundaries.at[i].structure);
 */
#include "report/run_tables.h"
#include "access/kernel.h"
#include "access/layout.h"
#include "access/point.h"
#include "base/error.h"
#include "base/note.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A column that a row keeps, and where. */
struct member {
    const char *name;
    size_t offset;
};

#define MEMBER(name)                                                                               \
    {                                                                                              \
#name, offsetof(struct run_row, name)                                                      \
    }
static const struct member texts[] = {MEMBER(structure),   MEMBER(level),    MEMBER(confidence),
                                      MEMBER(method),      MEMBER(note),     MEMBER(file),
                                      MEMBER(host),        MEMBER(index),    MEMBER(index_bits),
                                      MEMBER(replacement), MEMBER(relation), MEMBER(kernel)};
static const struct member numbers[] = {
    MEMBER(entries),   MEMBER(entries_min),   MEMBER(entries_max), MEMBER(bytes_min),
    MEMBER(bytes_max), MEMBER(plateau_ns),    MEMBER(step_ns),     MEMBER(step_percent),
    MEMBER(claim),     MEMBER(error_percent), MEMBER(penalty_ns),  MEMBER(low_ns),
    MEMBER(high_ns),   MEMBER(ways),          MEMBER(sets),        MEMBER(ns),
    MEMBER(cycles),    MEMBER(chains),        MEMBER(over_read_ns)};

enum { TEXTS = sizeof texts / sizeof *texts, NUMBERS = sizeof numbers / sizeof *numbers };

/* Numbers of the columns in the table: those of a row, and those that tell the tables apart. */
struct columns {
    int text[TEXTS], number[NUMBERS];
    int op, bytes, threads, spacing, delay_ns, gb_per_s; /* of rates */
    int structure, entries, method, penalty_ns, sets, relation, idle_cycles;
    int pages, layout, ns, proc, proc_s;
};

static struct columns ask(struct table *table)
{
    struct columns columns = {
        .op = table_column(table, "op"),
        .bytes = table_column(table, "bytes"),
        .threads = table_column(table, "threads"),
        .spacing = table_column(table, "spacing_bytes"),
        .delay_ns = table_column(table, "delay_ns"),
        .gb_per_s = table_column(table, "gb_per_s"),
        .structure = table_column(table, "structure"),
        .entries = table_column(table, "entries"),
        .method = table_column(table, "method"),
        .penalty_ns = table_column(table, "penalty_ns"),
        .sets = table_column(table, "sets"),
        .relation = table_column(table, "relation"),
        .idle_cycles = table_column(table, "idle_cycles"),
        .pages = table_column(table, "pages"),
        .layout = table_column(table, "layout"),
        .ns = table_column(table, "ns"),
        .proc = table_column(table, "proc"),
        .proc_s = table_column(table, "proc_s"),
    };
    for (int c = 0; c < TEXTS; c++)
        columns.text[c] = table_column(table, texts[c].name);
    for (int c = 0; c < NUMBERS; c++)
        columns.number[c] = table_column(table, numbers[c].name);
    return columns;
}

static void add_row(struct table *table, const struct columns *columns, struct run_rows *rows)
{
    rows->at = reallocate(rows->at, rows->count + 1, sizeof *rows->at);
    char *row = (char *)&rows->at[rows->count++];
    for (int c = 0; c < TEXTS; c++) {
        struct field field = table_field(table, columns->text[c]);
        snprintf(row + texts[c].offset, RUN_TABLES_TEXT_ROOM, "%.*s", (int)field.length,
                 field.text != NULL ? field.text : "");
    }
    for (int c = 0; c < NUMBERS; c++) {
        double number = NAN;
        table_number(table, columns->number[c], &number);
        memcpy(row + numbers[c].offset, &number, sizeof number);
    }
}

static double number_or_nan(struct table *table, int column)
{
    double number = NAN;
    table_number(table, column, &number);
    return number;
}

static void add_rate(struct run_tables *run, const struct columns *columns)
{
    struct table *table = run->table;
    struct field op = table_field(table, columns->op);
    run->rates = reallocate(run->rates, run->rate_count + 1, sizeof *run->rates);
    struct run_rate *rate = &run->rates[run->rate_count++];
    *rate = (struct run_rate){.bytes = number_or_nan(table, columns->bytes),
                              .threads = number_or_nan(table, columns->threads),
                              .spacing = number_or_nan(table, columns->spacing),
                              .delay_ns = number_or_nan(table, columns->delay_ns),
                              .gb_per_s = number_or_nan(table, columns->gb_per_s),
                              .ns = number_or_nan(table, columns->ns)};
    if (op.text == NULL)
        table_die(table, columns->op, "missing");
    snprintf(rate->op, sizeof rate->op, "%.*s", (int)op.length, op.text);
    if (rate->gb_per_s <= 0 || rate->bytes <= 0)
        table_die(table, rate->gb_per_s <= 0 ? columns->gb_per_s : columns->bytes,
                  "expected more than 0");
}

/* What perturbed the sample, where that was counted. */
static void add_disturbances(struct run_tables *run, const struct sample *sample)
{
    static const double faults_much = 0.01;
    double bytes = point_span(&sample->point);
    if (sample->faults >= faults_much * sample->loads && !(run->swapped_bytes <= bytes))
        run->swapped_bytes = bytes;
    run->moved += sample->migrations > 0;
}

/* Takes what is said of a request; that it was refused once counts more than all that comes. */
static void take_answer(const char **answer, const char *said)
{
    bool refused = *answer != NULL && strncmp(*answer, "no", 2) == 0;
    if (said != NULL && !refused)
        *answer = said;
}

static void add_sample(struct run_tables *run, const struct columns *columns,
                       const struct sample *sample)
{
    struct table *table = run->table;
    if (!isnan(sample->loads)) {
        run->loads_least = fmin(run->loads_least, sample->loads);
        run->loads_most = fmax(run->loads_most, sample->loads);
    }
    if (table_has(table, columns->layout) && table_has(table, columns->ns))
        run->samples_file = table_file_name(table, table_file(table));
    run->run_s += sample->run_s;
    take_answer(&run->backed[sample->point.backing - backings], sample->backed);
    take_answer(&run->locked, sample->locked);
    add_disturbances(run, sample);
    series_add(&run->series, sample);
}

/* Whether the current row is one of samples, as point.h understands them. */
static bool is_sample(const struct table *table, const struct columns *columns)
{
    return table_has(table, columns->pages) &&
           (table_has(table, columns->ns) || table_has(table, columns->proc) ||
            table_has(table, columns->proc_s));
}

struct run_tables run_tables_read(char *const *files, int count)
{
    struct run_tables run = {
        .table = table_open(files, count), .loads_least = HUGE_VAL, .swapped_bytes = NAN};
    struct table *table = run.table;
    struct columns columns = ask(table);
    struct point_reader *reader = NULL;
    struct sample sample;
    series_init(&run.series);
    while (table_next(table)) {
        bool method = table_has(table, columns.method);
        if (method && table_has(table, columns.structure) && table_has(table, columns.entries))
            add_row(table, &columns, &run.boundaries);
        else if (method && table_has(table, columns.penalty_ns))
            add_row(table, &columns, &run.penalties);
        else if (table_has(table, columns.sets) && table_has(table, columns.relation))
            add_row(table, &columns, &run.organisation);
        else if (table_has(table, columns.structure) && table_has(table, columns.idle_cycles))
            add_row(table, &columns, &run.latencies);
        else if (table_has(table, columns.op) && table_has(table, columns.gb_per_s))
            add_rate(&run, &columns);
        else if (!is_sample(table, &columns))
            die("%s:%lu: the table is neither samples (columns pages, ns) nor boundaries "
                "(structure, entries, method) nor penalties (method, penalty_ns) nor organisation "
                "(sets, relation) nor latencies (structure, idle_cycles) nor rates (op, gb_per_s)",
                table_file_name(table, table_file(table)), table_line(table));
        else if (point_reader_row(&reader, table, &sample))
            add_sample(&run, &columns, &sample);
    }
    point_reader_close(reader);
    series_sort(&run.series);
    return run;
}

void run_tables_free(struct run_tables *run)
{
    series_free(&run->series);
    free(run->rates);
    free(run->boundaries.at);
    free(run->penalties.at);
    free(run->organisation.at);
    free(run->latencies.at);
    table_close(run->table);
}

bool run_tables_was_run(const struct run_tables *run, const char *program)
{
    const char *key, *value;
    for (size_t k = 0; table_meta_at(run->table, k, &key, &value); k++)
        if (strcmp(key, "program") == 0 && strcmp(value, program) == 0)
            return true;
    return false;
}

bool run_tables_is_rates(const struct run_tables *run)
{
    return run->rate_count > 0 && run->series.count + run->boundaries.count + run->penalties.count +
                                          run->organisation.count ==
                                      0;
}

bool run_tables_row_is_plain(const struct run_row *row)
{
    return strcmp(row->structure, "itlb") != 0 && !note_has(row->note, "code") &&
           !note_has(row->note, "contiguous") && !note_has(row->note, "huge");
}

bool run_tables_point_is_plain(const struct point *point)
{
    return !point->kernel->executes && point->backing->scattered;
}
