/* loop.h: plan, measure, write, plan again, until the plan is complete. */
#ifndef TLBLAB_PLAN_LOOP_H
#define TLBLAB_PLAN_LOOP_H

#include "access/series.h"
#include "measure/run.h"
#include "tlb/plan/options.h"

/* Measures the plan's points into the series, which is empty at first. With the rows of an earlier
 * run the plan starts from the beginning, so a resumed run measures the same points as an
 * uninterrupted one. Returns the exit status (run_end()). */
int plan_run(const struct plan_options *plan, const struct run_options *options,
             struct series *series);

/* The optional columns (point.h) of a plan's points, including those that it will request later,
 * because the header is written first. */
unsigned plan_columns(const struct plan_options *plan);

#endif
