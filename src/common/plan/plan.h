/* plan.h: samples in, the points still worth measuring out. The plan is a function of the samples
 * alone: the same samples give the same points, whoever measured them, and nothing that the machine
 * claims of itself enters. */
#ifndef TLBLAB_PLAN_PLAN_H
#define TLBLAB_PLAN_PLAN_H

#include "access/point.h"
#include "access/series.h"
#include "plan/options.h"
#include <stddef.h>

/* The next batch of points in the order of taking, in *points (to be freed), and their number; 0
 * when enough is known. Sorts the series. */
size_t plan_next(const struct plan_options *options, struct series *series, struct point **points);

#endif
