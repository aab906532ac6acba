/* run.h: points in, rows out, as they are measured: the loop of every program that measures points,
 * on whatever machine. */
#ifndef TLBLAB_MEASURE_RUN_H
#define TLBLAB_MEASURE_RUN_H

#include "access/earlier.h"
#include "access/series.h"
#include "measure/machine.h"
#include <stdbool.h>
#include <stddef.h>

struct run_options {
    const struct machine *machine;
    double budget_s;            /* stop before a sample that would not fit; INFINITY: no limit */
    const struct table *source; /* its metadata is copied through; NULL: none */
    struct earlier *earlier;    /* its rows come first, and are not measured again; NULL: none */
    bool no_table;              /* samples go into the series alone */
};

struct run;

/* Dies for a point that the machine refuses; else writes metadata, header and the rows of the
 * earlier run, and readies the machine for these points, the first. `columns`: those that the rows
 * have beside the usual ones and the machine's. */
struct run *run_begin(const struct run_options *options, const struct point *points, size_t count,
                      struct sample_columns columns);

/* Measures the points and writes their rows; a progress bar goes to a stderr that is a terminal,
 * unless the rows go there too. What the earlier run measured is taken from there, and dropped from
 * `points`. Every sample is added to the series (NULL: none). Dies for a point that the machine
 * refuses, before it measures any. False when the budget ended first. */
bool run_points(struct run *run, struct point *points, size_t count, struct series *series);

void run_end(struct run *run);

/* The columns that these points ask for. */
struct sample_columns run_columns(const struct point *points, size_t count);

#endif
