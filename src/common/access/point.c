/* point.c: points, their lists, their columns, and writing them; point_read.c reads their tables.
 */
#include "access/point.h"
#include "access/kernel.h"
#include "access/layout.h"
#include "base/error.h"
#include <math.h>
#include <string.h>

const char *const role_names[] = {"sweep",   "refine", "comparison", "few",
                                  "control", "asked",  "all",        NULL};
const char *const chain_names[] = {"random-box", "same-random-in-box", "diff-random-in-box", NULL};

int chain_mode_find(const char *name)
{
    for (int i = 0; name != NULL && chain_names[i] != NULL; i++)
        if (strcmp(chain_names[i], name) == 0)
            return i;
    return -1;
}

double point_span(const struct point *point)
{
    return (double)point->pages * (double)point->spacing;
}

void points_append(struct points *points, const struct point *point)
{
    points->at = extend(points->at, points->count, sizeof *points->at);
    points->at[points->count++] = *point;
}

/* ---- columns ---- */

/* A new measured column is a member of struct sample, a line here and in sample_unknown, and a
 * value from each machine that has it: measure/measure.c, tlb/simulate/model.c,
 * memory/card/card_chase.c. A column that not every table has also has a bit (point.h), set by
 * struct machine's `columns` or, if it depends on the points, by run_columns() and plan_columns().
 */
const struct column sample_row_columns[] = {
    COLUMN(COUNT, "pages", offsetof(struct sample, point.pages),
           .zero = "a chain needs at least one page"),
    COLUMN(NAMED, "layout", offsetof(struct sample, point.layout), COLUMN_LIST(layouts)),
    COLUMN(COUNT, "spacing_bytes", offsetof(struct sample, point.spacing),
           .zero = "the spacing must not be 0"),
    COLUMN(COUNT, "page_bytes", offsetof(struct sample, point.page_bytes),
           .zero = "a page size is a power of two", .view = COLUMN_HIDDEN),
    COLUMN(WORD, "role", offsetof(struct sample, point.role), COLUMN_LIST(role_names),
           .view = COLUMN_IF_ROOM),
    COLUMN(COUNT, "sample", offsetof(struct sample, point.sample), .view = COLUMN_HIDDEN),
    COLUMN(NAMED, "kernel", offsetof(struct sample, point.kernel), COLUMN_LIST(kernels),
           .view = COLUMN_HIDDEN),
    COLUMN(NAMED, "backing", offsetof(struct sample, point.backing), COLUMN_LIST(backings),
           .view = COLUMN_HIDDEN),
    COLUMN(COUNT, "chains", offsetof(struct sample, point.chains), .option = SAMPLE_CHAINS,
           .zero = "at least one chain"),
    COLUMN(COUNT, "targets", offsetof(struct sample, point.targets), .option = SAMPLE_SET),
    COLUMN(COUNT, "others", offsetof(struct sample, point.others), .option = SAMPLE_SET),
    COLUMN(COUNT, "others_spacing_bytes", offsetof(struct sample, point.others_spacing),
           .option = SAMPLE_MOMENT, .view = COLUMN_HIDDEN),
    COLUMN(COUNT, "moment", offsetof(struct sample, point.moment), .option = SAMPLE_MOMENT,
           .view = COLUMN_HIDDEN),
    COLUMN(COUNT, "touches", offsetof(struct sample, point.touches), .option = SAMPLE_PROBE),
    COLUMN(COUNT, "decoys", offsetof(struct sample, point.decoys), .option = SAMPLE_PROBE),
    COLUMN(NUMBER, "probe_bytes", offsetof(struct sample, point.probe), .option = SAMPLE_PROBE),
    COLUMN(NUMBER, "ns", offsetof(struct sample, ns), .option = SAMPLE_MEASURED),
    COLUMN(NUMBER, "loads", offsetof(struct sample, loads), .option = SAMPLE_MEASURED,
           .view = COLUMN_HIDDEN),
    COLUMN(NUMBER, "min_ns", offsetof(struct sample, min_ns), .option = SAMPLE_MEASURED),
    COLUMN(NUMBER, "runs", offsetof(struct sample, runs), .option = SAMPLE_MEASURED,
           .view = COLUMN_HIDDEN),
    COLUMN(NUMBER, "run_s", offsetof(struct sample, run_s), .option = SAMPLE_MEASURED,
           .view = COLUMN_HIDDEN),
    COLUMN(NUMBER, "t_s", offsetof(struct sample, t_s), .option = SAMPLE_MEASURED,
           .view = COLUMN_IF_ROOM),
    COLUMN(NUMBER, "faults", offsetof(struct sample, faults), .option = SAMPLE_COUNTED,
           .view = COLUMN_HIDDEN),
    COLUMN(NUMBER, "switches", offsetof(struct sample, switches), .option = SAMPLE_COUNTED,
           .view = COLUMN_HIDDEN),
    COLUMN(NUMBER, "migrations", offsetof(struct sample, migrations), .option = SAMPLE_COUNTED,
           .view = COLUMN_HIDDEN),
    COLUMN(NUMBER, "refs", offsetof(struct sample, refs), .option = SAMPLE_LAB),
    COLUMN(NUMBER, "proc_s", offsetof(struct sample, proc_s), .option = SAMPLE_LAB),
    COLUMN(NUMBER, "sum", offsetof(struct sample, sum), .option = SAMPLE_LAB),
    COLUMN(TEXT, "backed", offsetof(struct sample, backed), .option = SAMPLE_BACKED,
           .view = COLUMN_HIDDEN),
    COLUMN(TEXT, "locked", offsetof(struct sample, locked), .option = SAMPLE_LOCKED,
           .view = COLUMN_HIDDEN),
    COLUMN(TEXT, "node", offsetof(struct sample, node), .option = SAMPLE_NODE,
           .view = COLUMN_HIDDEN),
    COLUMN(NUMBER, "arithmetic_ns", offsetof(struct sample, arithmetic_ns), .option = SAMPLE_CARD),
    {0},
};

const struct sample sample_unknown = {.ns = NAN,
                                      .min_ns = NAN,
                                      .runs = NAN,
                                      .loads = NAN,
                                      .run_s = NAN,
                                      .t_s = NAN,
                                      .faults = NAN,
                                      .switches = NAN,
                                      .migrations = NAN,
                                      .refs = NAN,
                                      .proc_s = NAN,
                                      .sum = NAN,
                                      .arithmetic_ns = NAN};

/* Columns that a table of points may have. */
enum { OF_POINTS = SAMPLE_CHAINS | SAMPLE_SET | SAMPLE_PROBE | SAMPLE_MOMENT };

void points_header(unsigned columns)
{
    table_put_columns(sample_row_columns, columns & OF_POINTS);
}

void samples_header(unsigned columns)
{
    table_put_columns(sample_row_columns, columns | SAMPLE_MEASURED);
}

static void write_row(struct sample row, unsigned columns)
{
    if (row.point.chains == 0)
        row.point.chains = 1;
    if (row.point.targets == 0)
        row.point.targets = row.point.others = COUNT_MISSING;
    if (row.point.others_spacing == 0)
        row.point.others_spacing = COUNT_MISSING;
    if (row.point.moment == 0)
        row.point.moment = COUNT_MISSING;
    if (row.point.touches == 0) {
        row.point.touches = row.point.decoys = COUNT_MISSING;
        row.point.probe = NAN;
    }
    table_put_row(sample_row_columns, columns, &row);
}

void points_write(const struct point *point, unsigned columns)
{
    write_row((struct sample){.point = *point}, columns & OF_POINTS);
}

void samples_write(const struct sample *sample, unsigned columns)
{
    write_row(*sample, columns | SAMPLE_MEASURED);
    flush_output();
}
