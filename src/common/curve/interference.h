/* interference.h: whether something else held a part of a TLB level while it was measured: a busy
 * hardware thread on the same core shares its entries. What such a run tells is a range. */
#ifndef TLBLAB_CURVE_INTERFERENCE_H
#define TLBLAB_CURVE_INTERFERENCE_H

#include "access/series.h"
#include "curve/knee.h"
#include <stdbool.h>
#include <stddef.h>

/* Whether level k (from 0) had two states within the run: at two or more sizes around its knee, the
 * time of `page` over that of `packed` changed from the earlier half of the samples to the later
 * one by a quarter of the step or more, in the same direction, and by 5 standard errors. The
 * quotient is what a clock that changes leaves alone. The series is sorted; `curve` is page minus
 * packed, and the knees are its levels. */
bool interference_two_states(const struct series *series, const struct point *page,
                             const struct curve *curve, const struct knee *knees, size_t count,
                             size_t k);

/* Whether a rise goes on to more than 1.6 times the size at which it begins, as it does where
 * others take entries away at random moments. Uneven sets and random replacement do that as well,
 * so it is no more than a hint. */
bool interference_long_rise(const struct curve *curve, const struct knee *knee);

#endif
