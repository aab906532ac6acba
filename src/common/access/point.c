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

/* A new measured column is a member of struct sample, a line here, and a value from each machine
 * that has it: measure/measure.c, tlb/simulate/model.c, memory/card/card_chase.c. A column that not
 * every table has also has a bit (point.h), set by struct machine's `columns` or, if it depends on
 * the points, by run_columns() and plan_columns(). */
#define OF(member) offsetof(struct sample, member)
const struct column sample_row_columns[] = {
    COLUMN(COUNT, "pages", OF(point.pages), .zero = "a chain needs at least one page"),
    COLUMN(NAMED, "layout", OF(point.layout), COLUMN_LIST(layouts)),
    COLUMN(COUNT, "spacing_bytes", OF(point.spacing), .zero = "the spacing must not be 0"),
    COLUMN(COUNT, "page_bytes", OF(point.page_bytes), .zero = "a page size is a power of two",
           .view = COLUMN_HIDDEN),
    COLUMN(WORD, "role", OF(point.role), COLUMN_LIST(role_names), .view = COLUMN_IF_ROOM),
    COLUMN(COUNT, "sample", OF(point.sample), .view = COLUMN_HIDDEN),
    COLUMN(NAMED, "kernel", OF(point.kernel), COLUMN_LIST(kernels), .view = COLUMN_HIDDEN),
    COLUMN(NAMED, "backing", OF(point.backing), COLUMN_LIST(backings), .view = COLUMN_HIDDEN),
    COLUMN(COUNT, "chains", OF(point.chains), .option = SAMPLE_CHAINS,
           .zero = "at least one chain"),
    COLUMN(COUNT, "targets", OF(point.targets), .option = SAMPLE_SET),
    COLUMN(COUNT, "others", OF(point.others), .option = SAMPLE_SET),
    COLUMN(COUNT, "others_spacing_bytes", OF(point.others_spacing), .option = SAMPLE_MOMENT,
           .view = COLUMN_HIDDEN),
    COLUMN(COUNT, "moment", OF(point.moment), .option = SAMPLE_MOMENT, .view = COLUMN_HIDDEN),
    COLUMN(COUNT, "touches", OF(point.touches), .option = SAMPLE_PROBE),
    COLUMN(COUNT, "decoys", OF(point.decoys), .option = SAMPLE_PROBE),
    COLUMN(NUMBER, "probe_bytes", OF(point.probe), .option = SAMPLE_PROBE),
    COLUMN(NUMBER, "ns", OF(ns), .option = SAMPLE_MEASURED),
    COLUMN(NUMBER, "loads", OF(loads), .option = SAMPLE_MEASURED, .view = COLUMN_HIDDEN),
    COLUMN(NUMBER, "min_ns", OF(min_ns), .option = SAMPLE_MEASURED),
    COLUMN(NUMBER, "runs", OF(runs), .option = SAMPLE_MEASURED, .view = COLUMN_HIDDEN),
    COLUMN(NUMBER, "run_s", OF(run_s), .option = SAMPLE_MEASURED, .view = COLUMN_HIDDEN),
    COLUMN(NUMBER, "t_s", OF(t_s), .option = SAMPLE_MEASURED, .view = COLUMN_IF_ROOM),
    COLUMN(NUMBER, "faults", OF(faults), .option = SAMPLE_COUNTED, .view = COLUMN_HIDDEN),
    COLUMN(NUMBER, "switches", OF(switches), .option = SAMPLE_COUNTED, .view = COLUMN_HIDDEN),
    COLUMN(NUMBER, "migrations", OF(migrations), .option = SAMPLE_COUNTED, .view = COLUMN_HIDDEN),
    COLUMN(NUMBER, "refs", OF(refs), .option = SAMPLE_LAB),
    COLUMN(NUMBER, "proc_s", OF(proc_s), .option = SAMPLE_LAB),
    COLUMN(NUMBER, "sum", OF(sum), .option = SAMPLE_LAB),
    COLUMN(TEXT, "backed", OF(backed), .option = SAMPLE_BACKED, .view = COLUMN_HIDDEN),
    COLUMN(TEXT, "locked", OF(locked), .option = SAMPLE_LOCKED, .view = COLUMN_HIDDEN),
    COLUMN(TEXT, "node", OF(node), .option = SAMPLE_NODE, .view = COLUMN_HIDDEN),
    COLUMN(NUMBER, "arithmetic_ns", OF(arithmetic_ns), .option = SAMPLE_CARD),
    {0},
};

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
