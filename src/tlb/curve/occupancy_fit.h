/* occupancy_fit.h: the capacity of a cache whose sets fill unevenly because page frames are random.
 */
#ifndef TLBLAB_CURVE_OCCUPANCY_FIT_H
#define TLBLAB_CURVE_OCCUPANCY_FIT_H

#include "tlb/curve/curve.h"

/* The capacity in lines from loads at random positions (kernel `random`); NaN if there are too few
 * points.
 *
 * The next line is independent of the lines used before, so the share of hits is R(n)/n, where R(n)
 * is the number of lines that the cache holds. Once every set is full R(n) is the capacity,
 * whatever the replacement policy and the prefetchers do. Fitted by least squares to the curve's
 * points from `first` to `last` lines, for capacities from `low` to `high`:
 *
 *     ns(n) = a + b/n + c (1 − R(n)/n),   c > 0,
 *
 * where b/n is the effect of smaller caches, already full. `most_likely` is a weak prior. Near the
 * capacity sets fill unevenly: the lines of a page lie in neighbouring sets, so pages fall at
 * random into C / W / page_lines page colours, each of which holds W pages. If a way is no larger
 * than a page, R(n) = min(n, C). */
double occupancy_fit(const struct curve *curve, double first, double last, double low, double high,
                     double most_likely, double page_lines);

#endif
