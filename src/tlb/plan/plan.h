/* plan.h: samples in, the points still worth measuring out. The plan depends on the samples alone:
 * the same samples give the same points. No claimed size of a TLB or cache enters; of what the
 * machine claims, the length of a line and, for `--density`, the L1D do. */
#ifndef TLBLAB_PLAN_PLAN_H
#define TLBLAB_PLAN_PLAN_H

#include "access/point.h"
#include "access/series.h"
#include "tlb/detect/analysis.h"
#include "tlb/plan/options.h"
#include <stddef.h>

/* Returns the number of points of the next batch, which stand in *points in the order of taking
 * (the caller frees it); 0 when the plan is complete. Sorts the series. */
size_t plan_next(const struct plan_options *options, struct series *series, struct point **points);

/* The same for a loop that keeps the analysis of the series: curves without new samples are not
 * analysed again. */
size_t plan_more(const struct plan_options *options, struct series *series,
                 struct analysis *analysis, struct point **points);

#endif
