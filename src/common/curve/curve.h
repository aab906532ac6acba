/* curve.h: samples as curves over the number of nodes. */
#ifndef TLBLAB_CURVE_CURVE_H
#define TLBLAB_CURVE_CURVE_H

#include "access/series.h"
#include <stdbool.h>
#include <stddef.h>

/* One curve over the number of nodes: a value with its standard error, and the time of a load there
 * (what a rise is compared with). */
struct curve_point {
    double pages, ns, error, load_ns;
    size_t samples, kept; /* measurements at this point, and those that the value is made of */
};
struct curve {
    struct curve_point *at; /* ascending in pages */
    size_t count;
};

/* The curve of `page` (any point on it, of layout `page`) minus `packed` under the same kernel:
 * translation cost alone. Samples are paired by their number, and the value is the median of the
 * differences: drift of the clock hits both alike. Where noise mostly adds time, the quieter half
 * of the pairs counts (least page + packed): such noise is left out, and since sum and difference
 * of like noise are independent, the choice adds no bias. Else, where samples differ by luck with
 * page frames, frame_variance.h has the value. The series is sorted. */
struct curve curve_control(const struct series *series, const struct point *page);

/* The curve of a point alone (empty for NULL): its minimum where the noise is skewed (it mostly
 * adds time), else the median.
 */
struct curve curve_alone(const struct series *series, const struct point *point);

/* The median in any case: of chains that differ in luck. */
struct curve curve_median(const struct series *series, const struct point *point);

/* The curve of a point whose samples look at different sets of a TLB, in most of which somebody
 * else may hold entries all the time: its 1/32-quantile, which is that of the freest sets, raised
 * by what noise alone lowers it where all fit, up to `fits` nodes. Its `load_ns` is what the median
 * of all sets costs more. */
struct curve curve_freest(const struct series *series, const struct point *point, double fits);

/* The first point of layout `packed` under the same kernel, on the backing and page of `page` where
 * there is one; or NULL. */
const struct point *curve_packed(const struct series *series, const struct point *page);

/* The mean where page frames are luck, as half of it is not where the median is; or the minimum
 * where the noise mostly adds time, by the skew of the sizes `from` to `to` alone, which luck
 * leaves alone; *adds says which. */
struct curve curve_by_frames(const struct series *series, const struct point *point, double from,
                             double to, bool *adds);

void curve_free(struct curve *curve);

#endif
