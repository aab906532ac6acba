/* occupancy_fit.h: the capacity of a cache from loads at places drawn anew (kernel `random`). */
#ifndef TLBLAB_CURVE_OCCUPANCY_FIT_H
#define TLBLAB_CURVE_OCCUPANCY_FIT_H

#include "curve/curve.h"
#include <stdbool.h>

/* What fits best: a capacity in lines (NaN where there are too few points), the ways that go with
 * it, and the root mean square of what is left over, in per cent of the latency. */
struct occupancy {
    double lines, ways, misfit_percent;
};

/* No load depends on which lines were used before, so the share of loads that hit is that of the
 * lines that the cache holds, R(n) of n: whatever it replaces, whatever a prefetcher brought, R is
 * the capacity as soon as every set is full. Least squares over the curve's points from `first` to
 * `last` lines and over capacities from `low` to `high` of
 *
 *     ns(n) = a + b/n + c (1 − R(n)/n),   c > 0,
 *
 * where b/n is what smaller caches serve, which are full. Sets fill by chance near the capacity: a
 * page's lines lie in neighbouring sets, so a cache of W ways takes pages into C / W / (lines of a
 * page) colours at random, W into each. Where a way is no larger than a page, R(n) = min(n, C). */
struct occupancy occupancy_fit(const struct curve *curve, double first, double last, double low,
                               double high, double most_likely, double page_lines);

#endif
