/* plan.h: samples in, the points still worth measuring out. The plan depends only on the samples:
 * the same samples give the same points. The claimed sizes of TLBs and caches play no part; of the
 * machine's claims only the line size and, for `--density`, the size of the L1D do. */
#ifndef TLBLAB_PLAN_PLAN_H
#define TLBLAB_PLAN_PLAN_H

#include "access/point.h"
#include "access/series.h"
#include "tlb/plan/options.h"
#include <stddef.h>

/* Returns the number of points of the next batch, which are in *points in the order of measuring
 * (the caller frees it); 0 when the plan is complete. Sorts the series. */
size_t plan_next(const struct plan_options *options, struct series *series, struct point **points);

#endif
