/* loop.h: plan, measure, write, plan again, until enough is known. */
#ifndef TLBLAB_PLAN_LOOP_H
#define TLBLAB_PLAN_LOOP_H

#include "access/series.h"
#include "measure/run.h"
#include "plan/options.h"
#include <stdbool.h>

/* Measures what the plan wants, into the series (empty at first). An earlier run is gone through
 * again from its start, so that a run that goes on takes the points that it would have taken
 * uninterrupted. False when the budget ended first. */
bool plan_run(const struct plan_options *plan, const struct run_options *options,
              struct series *series);

/* What the points of a plan need beside the usual columns. */
struct sample_columns plan_columns(const struct plan_options *plan);

#endif
