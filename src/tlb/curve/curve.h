/* curve.h: from samples to curves over the number of nodes. Noise only adds time, so each size is
 * represented by its fastest lap. */
#ifndef TLBLAB_CURVE_CURVE_H
#define TLBLAB_CURVE_CURVE_H

#include "access/series.h"
#include <stddef.h>

/* A point of a curve: a value, how much lower it may be without noise, and the time of a load, to
 * which rises are compared. */
struct curve_point {
    double pages, ns, error, load_ns;
    size_t samples;
};

/* Of more than 1000 sizes those that are 0.5 % apart. */
struct curve {
    struct curve_point *at; /* ascending in pages */
    size_t count;
};

/* The curve of a point (empty for NULL): the fastest lap at each size. The error is the distance to
 * the next lap of that size. The series is sorted. */
struct curve curve_minima(const struct series *series, const struct point *point);

/* The same for a curve that cannot fall when nodes are added, as that of a TLB or a cache: the
 * fastest lap at a size or a larger one. */
struct curve curve_alone(const struct series *series, const struct point *point);

/* curve_alone() of `page` (any point on it, of layout `page`) minus that of `packed` under the same
 * kernel, which is translation alone; empty if there is no `packed`. */
struct curve curve_control(const struct series *series, const struct point *page);

/* The first point of layout `packed` under the same kernel, preferably on the same backing and page
 * size; or NULL. */
const struct point *curve_packed(const struct series *series, const struct point *page);

/* A point of the latency curve that shows the caches: of layout local, else line, else packed, at
 * the smallest spacing; or NULL. */
const struct point *curve_line(const struct series *series);

void curve_free(struct curve *curve);

#endif
