/* capacity.h: from a rise to a capacity: which kind of level the rise looks like, and how large
 * that is. */
#ifndef TLBLAB_CURVE_CAPACITY_H
#define TLBLAB_CURVE_CAPACITY_H

#include "curve/knee.h"
#include "curve/miss_curve.h"
#include <stdbool.h>
#include <stddef.h>

/* The capacity behind a knee. The range holds those of all kinds of levels whose curves fit the
 * measured one about as well as the best does. */
struct capacity {
    double entries, least, most;
    double step_ns; /* when every load misses, which may lie beyond the last point */
    struct miss_curve shape;
    bool poor; /* no shape fits: the range begins with the foot of the rise */
};

/* Least squares over curve points first … last, which hold the knee and its two plateaus alone: a
 * + b × miss_curve_share() for each shape and capacity. A step that is not gradual is LRU with sets
 * that fill evenly, or an exclusive level. A number of sets that is no power of two must fit much
 * better than one that is. `before` is the capacity of the level before, 0 for a first level: this
 * one may hold its entries exclusively. */
struct capacity capacity_fit(const struct curve *curve, const struct knee *knee, size_t first,
                             size_t last, double before);

/* What loads pay for this level with so many pages. */
double capacity_cost(const struct capacity *capacity, double pages);

#endif
