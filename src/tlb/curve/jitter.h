/* jitter.h: noise that falls on both sides of a sample's time, drawn anew for each sample.
 *
 * The least of such samples says how many there are, not how long a load takes. Their mean is
 * exact, once the samples that a neighbour disturbs besides are left out: these take longer. */
#ifndef TLBLAB_CURVE_JITTER_H
#define TLBLAB_CURVE_JITTER_H

#include "access/series.h"
#include "tlb/curve/curve.h"

/* Its standard deviation as a part of the time, by `packed` (any points on these curves), whose
 * samples a neighbour hardly disturbs. 0 where there is little of it; where slower samples lie
 * farther from the median than faster ones; or where a sample of `page` is slow when that of
 * `packed` beside it is, so that both have one cause, the clock. The series is sorted. */
double jitter_of(const struct series *series, const struct point *page, const struct point *packed);

/* page minus packed, each the mean of the samples at a size that jitter alone disturbs. */
struct curve jitter_curve(const struct series *series, const struct point *page,
                          const struct point *packed, double jitter);

#endif
