/* run.h: points in, rows out, as they are measured: the loop of every program that measures points,
 * on this machine or a simulated one. */
#ifndef TLBLAB_MEASURE_RUN_H
#define TLBLAB_MEASURE_RUN_H

#include "access/earlier.h"
#include "access/series.h"
#include "measure/machine.h"
#include <stdbool.h>
#include <stddef.h>

struct run_options {
    const struct machine *machine;
    double budget_s;            /* stop before a sample that would end later; INFINITY: no limit */
    struct earlier *earlier;    /* its rows come first and are not measured again; NULL: none */
    const struct table *source; /* its metadata is copied through; NULL: the earlier run's */
    bool no_table;              /* writes no rows: samples go to the series only */
    bool batches;               /* run_points() is called until nothing is left to plan */
};

struct run;

/* Writes metadata, header and the rows of the earlier run, and prepares the machine for its first
 * points. Dies before that for a point that the machine refuses. `columns` are the optional
 * columns (point.h) in addition to those of the machine. */
struct run *run_begin(const struct run_options *options, const struct point *points, size_t count,
                      unsigned columns);

/* Measures the points and writes their rows, pass after pass: in pass k sample number `sample` + k
 * of each. Omits those that the earlier run measured. Every sample, earlier ones included, is added
 * to the series (NULL: none). Dies before the first sample for a point that the machine refuses.
 * Draws progress (progress.h). False when the budget ended first. */
bool run_points(struct run *run, const struct points *points, uint64_t passes,
                struct series *series);

/* Closes the machine. Returns the exit status: STATUS_PARTIAL, with a warning, when the budget
 * ended first or samples have no time. */
int run_end(struct run *run);

/* The optional columns that these points need. */
unsigned run_columns(const struct point *points, size_t count);

/* ---- a run over a list of points, from files or from options ---- */

struct point_list {
    struct points points;
    uint64_t passes;        /* over the points; 0: one */
    struct table *source;   /* of points from files; NULL: they come from options */
    struct earlier earlier; /* of --resume */
};

/* Reads the points of files (count 0: stdin). `adapt` sets the members of a point that the
 * machine decides, and returns why it cannot measure the point, or NULL. Dies with file and line
 * for a refused point. */
void point_list_read(struct point_list *list, char **files, int count,
                     const char *(*adapt)(struct point *point));

/* Measures the points within the budget, and frees the list. Returns the exit status. */
int point_list_measure(struct point_list *list, const struct machine *machine, double budget_s);

#endif
