/* frame_variance.h: times that depend on which page frames a sample got. */
#ifndef TLBLAB_CURVE_FRAME_VARIANCE_H
#define TLBLAB_CURVE_FRAME_VARIANCE_H

#include "access/series.h"
#include <stdbool.h>

struct frame_variance {
    double ns, error;
};

/* Where a cache that is indexed by physical addresses is about to overflow, a node of `page` and
 * one of `packed` cost the same on the average of all page frames. But `packed` lies on few of
 * them, so that one sample pays much and most nothing, and neither the median of the samples nor
 * the quieter half of them is near that average. This is the mean of `page` minus what `packed`
 * costs on average, which is a straight line (over the logarithm of the size) through the means of
 * all sizes within an eighth of this one.
 *
 * False, and nothing is filled in, where samples of `packed` differ by no more than noise. The
 * series is sorted. */
bool frame_variance_difference(const struct series *series, const struct group *page,
                               const struct group *packed, struct frame_variance *luck);

#endif
