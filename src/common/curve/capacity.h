/* capacity.h: the capacity behind a knee, and the kind of level whose miss curve fits it. */
#ifndef TLBLAB_CURVE_CAPACITY_H
#define TLBLAB_CURVE_CAPACITY_H

#include "curve/knee.h"
#include "curve/miss_curve.h"
#include <stdbool.h>
#include <stddef.h>

/* The capacity of the best fit. The range covers all kinds of levels that fit about as well. */
struct capacity {
    double entries, least, most;
    double step_ns; /* when every load misses, perhaps beyond the last point */
    struct miss_curve shape;
    bool poor; /* the points lie off it by more than their errors; the range holds the foot */
};

/* Least squares of a + b × miss_curve_share(), for each kind of level and capacity, over curve
 * points first … last, which cover this knee and its two plateaus only. A step that is surely
 * not gradual is LRU or NRU with evenly filled sets, or an exclusive level. A number of sets that
 * is no power of two must fit much better than one that is. `before` is the capacity of the level
 * before, of which this one may be exclusive; 0 for a first level, which is not hashed. Hashed
 * levels, and those whose index has a gap, have sets that are a power of two. Where no kind fits
 * the whole rise, or another fits its foot far better, the capacity is that of the foot. */
struct capacity capacity_fit(const struct curve *curve, const struct knee *knee, size_t first,
                             size_t last, double before);

/* Mean cost of this level's misses, in ns per load, with so many pages. */
double capacity_cost(const struct capacity *capacity, double pages);

#endif
