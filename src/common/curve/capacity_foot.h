/* capacity_foot.h: the capacity at the foot of a rise, of which a fit is not sure. */
#ifndef TLBLAB_CURVE_CAPACITY_FOOT_H
#define TLBLAB_CURVE_CAPACITY_FOOT_H

#include "curve/capacity.h"

/* The roundest capacity near one that is known to 1.5 per cent, within its range; the first `above`
 * entries are another level's. Numbers of entries have many factors of two. */
double capacity_roundest(double entries, double least, double most, double above);

/* The capacity at the foot of a rise that no kind fits: the cost of a walk grows with the pages, as
 * page tables leave one cache after the other, so that the rise goes on beyond the misses. */
struct capacity capacity_at_foot(const struct curve *curve, const struct knee *knee);

/* Whether the entries lie in the foot's range, or as near to it as the foot is known. */
bool capacity_is_near(const struct capacity *foot, double entries);

#endif
