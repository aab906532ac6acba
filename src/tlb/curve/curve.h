/* curve.h: from samples to curves over the number of nodes. */
#ifndef TLBLAB_CURVE_CURVE_H
#define TLBLAB_CURVE_CURVE_H

#include "access/series.h"
#include <stdbool.h>
#include <stddef.h>

/* A point of a curve: a value, its standard error, and the time of a load, to which rises are
 * compared. */
struct curve_point {
    double pages, ns, error, load_ns;
    size_t samples;
};

/* In a curve of more than 1000 points, sizes within 0.5 % are merged into their mean. */
struct curve {
    struct curve_point *at; /* ascending in pages */
    size_t count;
};

/* The curve of `page` (any point on it, of layout `page`) minus `packed` under the same kernel:
 * translation cost only (envelope.h). The series is sorted. */
struct curve curve_control(const struct series *series, const struct point *page);

/* The curve of a point itself (empty for NULL): the minimum if noise mostly adds time, else the
 * median. */
struct curve curve_alone(const struct series *series, const struct point *point);

/* The same, always by the median: for chains whose times depend on their page frames or sets. */
struct curve curve_median(const struct series *series, const struct point *point);

/* The first point of layout `packed` under the same kernel, preferably on the same backing and page
 * size; or NULL. */
const struct point *curve_packed(const struct series *series, const struct point *page);

/* The curve of a point whose times depend on random page frames. *adds: noise mostly adds time,
 * judged by the skew at sizes `from` to `to`, where page frames have no effect. The value is then
 * the minimum, else the mean, which follows the share of misses (the median need not). */
struct curve curve_by_frames(const struct series *series, const struct point *point, double from,
                             double to, bool *adds);

void curve_free(struct curve *curve);

/* The largest measured size up to `pages`, and the smallest from there on, else `pages`: nobody
 * knows what is between two sizes, so ranges end at measured ones. */
double curve_size_below(const struct curve *curve, double pages);
double curve_size_above(const struct curve *curve, double pages);

/* Whether a step is gradual that starts at so many nodes and is half done at `half`. */
bool curve_is_gradual(double start, double half);

#endif
