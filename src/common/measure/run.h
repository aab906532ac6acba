/* run.h: what `chase` and `sweep` share: points in, rows out, as they are measured. */
#ifndef TLBLAB_MEASURE_RUN_H
#define TLBLAB_MEASURE_RUN_H

#include "access/point.h"
#include "access/series.h"
#include "machine/facts.h"
#include "measure/measure.h"
#include "table/table.h"
#include <stdbool.h>
#include <stddef.h>

struct run_options {
    struct rig_options rig;
    double budget_s;            /* stop before a sample that would not fit; INFINITY: no limit */
    const struct facts *facts;  /* of this machine, for the metadata */
    const struct table *source; /* its metadata is copied through; NULL: none */
    struct series *series;      /* every sample measured is added here; NULL: none */
};

struct run;

/* Opens the rig; writes metadata and header; makes the buffers of the first points, which may take
 * its time, and warms up. What is not possible here it refuses before it writes. `columns`: those
 * that the rows have beside the usual ones. */
struct run *run_begin(const struct run_options *options, const struct point *points, size_t count,
                      struct sample_columns columns);

/* Copies a row that was measured earlier (--resume). */
void run_copy(struct run *run, const struct sample *sample);

/* Measures the points and writes their rows; a progress bar goes to a stderr that is a
 * terminal, unless the rows go there too. False when
 * the budget ended first. */
bool run_points(struct run *run, const struct point *points, size_t count);

/* Warns where an access took less than a cycle, and frees the run. */
void run_end(struct run *run);

/* The columns that these points ask for. */
struct sample_columns run_columns(const struct point *points, size_t count);

#endif
