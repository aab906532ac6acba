/* plan.h: samples in, the points still worth measuring out. The plan depends only on the samples:
 * the same samples give the same points. The claimed sizes of TLBs and caches play no part; of the
 * machine's claims only the line size and, for `--density`, the size of the L1D do. */
#ifndef TLBLAB_PLAN_PLAN_H
#define TLBLAB_PLAN_PLAN_H

#include "access/series.h"
#include "tlb/plan/options.h"
#include <stddef.h>

struct run_options; /* measure/run.h */

/* Returns the number of points of the next batch, which are in *points in the order of measuring
 * (the caller frees it); 0 when the plan is complete. Sorts the series. */
size_t plan_next(const struct plan_options *options, struct series *series, struct point **points);

/* The optional columns (point.h) of a plan's points, including those that it will request later,
 * because the header is written first. */
unsigned plan_columns(const struct plan_options *plan);

/* Plans, measures, writes, and plans again, until the plan is complete. The series is empty at
 * first. With the rows of an earlier run the plan starts from the beginning, so a resumed run
 * measures the same points as an uninterrupted one. Returns the exit status (run_end()). */
int plan_run(const struct plan_options *plan, const struct run_options *options,
             struct series *series);

#endif
