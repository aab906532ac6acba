/* jitter.h: noise on both sides of a sample's time, drawn anew for each sample.
 *
 * The minimum of such samples depends on how many there are, not on how long a load takes. Their
 * mean is unbiased, once the samples that a neighbour also slows down are left out. */
#ifndef TLBLAB_CURVE_JITTER_H
#define TLBLAB_CURVE_JITTER_H

#include "access/series.h"
#include "tlb/curve/curve.h"

/* Its standard deviation as a fraction of the time, taken from `packed` (any points on these
 * curves), whose samples a neighbour hardly disturbs. 0 if there is little jitter, if the slow tail
 * is longer than the fast one, or if samples of `page` and `packed` are slow together: their common
 * cause is then the clock. The series is sorted. */
double jitter_of(const struct series *series, const struct point *page, const struct point *packed);

/* page minus packed, each the mean of the samples at a size disturbed by jitter alone. */
struct curve jitter_curve(const struct series *series, const struct point *page,
                          const struct point *packed, double jitter);

#endif
