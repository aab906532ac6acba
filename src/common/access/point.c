/* point.c: the rows of the points and samples tables: their names, and writing them; point_read.c
 * reads them. */
#include "access/point.h"
#include "access/kernel.h"
#include "access/layout.h"
#include "base/error.h"
#include "table/row.h"
#include <string.h>

/* ---- names ---- */

static const char *const role_names[] = {"sweep", "refine", "comparison", NULL};
static const char *const chain_names[] = {"random-box", "same-random-in-box", "diff-random-in-box"};

const char *role_name(enum role role)
{
    return role_names[role];
}

const char *chain_mode_name(enum chain_mode mode)
{
    return chain_names[mode];
}

int chain_mode_find(const char *text, size_t length)
{
    for (int i = 0; i < 3; i++)
        if (strlen(chain_names[i]) == length && memcmp(chain_names[i], text, length) == 0)
            return i;
    return -1;
}

double point_span(const struct point *point)
{
    return (double)point->pages * (double)point->spacing;
}

void points_append(struct points *points, const struct point *point)
{
    if (points->count == points->room) {
        points->room = points->room > 0 ? 2 * points->room : 256;
        points->at = reallocate(points->at, points->room, sizeof *points->at);
    }
    points->at[points->count++] = *point;
}

/* ---- columns ---- */

/* Columns that are there when they are wanted. */
enum {
    MEASURED = 1,
    CHAINS = 2,
    SET = 4,
    COUNTED = 8,
    LAB = 16,
    BACKED = 32,
    LOCKED = 64,
};

const struct column sample_row_columns[] = {
    COLUMN(COUNT, "pages", offsetof(struct sample, point.pages),
           .zero = "a chain needs at least one page"),
    COLUMN(NAMED, "layout", offsetof(struct sample, point.layout), COLUMN_LIST(layouts)),
    COLUMN(COUNT, "spacing_bytes", offsetof(struct sample, point.spacing),
           .zero = "the spacing must not be 0"),
    COLUMN(COUNT, "page_bytes", offsetof(struct sample, point.page_bytes),
           .zero = "a page has a power of two of bytes"),
    COLUMN(WORD, "role", offsetof(struct sample, point.role), COLUMN_LIST(role_names)),
    COLUMN(COUNT, "sample", offsetof(struct sample, point.sample)),
    COLUMN(NAMED, "kernel", offsetof(struct sample, point.kernel), COLUMN_LIST(kernels)),
    COLUMN(NAMED, "backing", offsetof(struct sample, point.backing), COLUMN_LIST(backings)),
    COLUMN(COUNT, "chains", offsetof(struct sample, point.chains), .option = CHAINS,
           .zero = "at least one chain"),
    COLUMN(COUNT, "targets", offsetof(struct sample, point.targets), .option = SET),
    COLUMN(COUNT, "others", offsetof(struct sample, point.others), .option = SET),
    COLUMN(NUMBER, "ns", offsetof(struct sample, ns), .option = MEASURED),
    COLUMN(NUMBER, "loads", offsetof(struct sample, loads), .option = MEASURED),
    COLUMN(NUMBER, "run_s", offsetof(struct sample, run_s), .option = MEASURED),
    COLUMN(NUMBER, "t_s", offsetof(struct sample, t_s), .option = MEASURED),
    COLUMN(NUMBER, "faults", offsetof(struct sample, faults), .option = COUNTED),
    COLUMN(NUMBER, "switches", offsetof(struct sample, switches), .option = COUNTED),
    COLUMN(NUMBER, "migrations", offsetof(struct sample, migrations), .option = COUNTED),
    COLUMN(NUMBER, "refs", offsetof(struct sample, refs), .option = LAB),
    COLUMN(NUMBER, "proc_s", offsetof(struct sample, proc_s), .option = LAB),
    COLUMN(NUMBER, "sum", offsetof(struct sample, sum), .option = LAB),
    COLUMN(TEXT, "backed", offsetof(struct sample, backed), .option = BACKED),
    COLUMN(TEXT, "locked", offsetof(struct sample, locked), .option = LOCKED),
    {0},
};

/* ---- writing ---- */

static unsigned point_options(struct sample_columns columns)
{
    return (columns.chains ? CHAINS : 0) | (columns.set ? SET : 0);
}

static unsigned sample_options(struct sample_columns columns)
{
    return MEASURED | point_options(columns) | (columns.counted ? COUNTED : 0) |
           (columns.lab ? LAB : 0) | (columns.backed ? BACKED : 0) | (columns.locked ? LOCKED : 0);
}

void points_header(struct sample_columns columns)
{
    table_put_columns(sample_row_columns, point_options(columns));
}

void samples_header(struct sample_columns columns)
{
    table_put_columns(sample_row_columns, sample_options(columns));
}

static void write_row(struct sample row, unsigned options)
{
    if (row.point.chains == 0)
        row.point.chains = 1;
    if (row.point.targets == 0)
        row.point.targets = row.point.others = COUNT_MISSING;
    table_put_row(sample_row_columns, options, &row);
}

void points_write(const struct point *point, struct sample_columns columns)
{
    write_row((struct sample){.point = *point}, point_options(columns));
}

/* The row goes out at once: what was measured is on disk before the next sample starts. */
void samples_write(const struct sample *sample, struct sample_columns columns)
{
    write_row(*sample, sample_options(columns));
    flush_output();
}
