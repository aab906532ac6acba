/* frame_variance.h: times that depend on which page frames a sample got. */
#ifndef TLBLAB_CURVE_FRAME_VARIANCE_H
#define TLBLAB_CURVE_FRAME_VARIANCE_H

#include "access/series.h"
#include <stdbool.h>

struct frame_variance {
    double ns, error;
};

/* The mean of `page` minus the expected time of `packed`, in ns, and its standard error.
 *
 * Near the capacity of a physically indexed cache a node of `page` and one of `packed` cost the
 * same on average over all page frames. But `packed` lies on few frames: conflict misses hit one
 * sample and spare most, so neither the median nor the quieter half of the samples is near that
 * average. The expected time is a straight line, over the logarithm of the size, through the means
 * of all sizes within an eighth of this one.
 *
 * False, with *found unchanged, where the samples of `packed` scatter no more than noise. The
 * series is sorted. */
bool frame_variance_difference(const struct series *series, const struct group *page,
                               const struct group *packed, struct frame_variance *found);

#endif
