/* interference.h: signs of interference: a busy hardware thread on the same core occupies entries
 * of a shared TLB level, so the run gives a range only. */
#ifndef TLBLAB_CURVE_INTERFERENCE_H
#define TLBLAB_CURVE_INTERFERENCE_H

#include "access/series.h"
#include "curve/knee.h"
#include <stdbool.h>
#include <stddef.h>

/* Whether level k (from 0) had two states within the run: at two or more sizes around its knee, the
 * quotient of `page` and `packed` changed from the earlier half of the samples to the later one, in
 * the same direction, by at least a quarter of the step and 5 standard errors. Changes of the clock
 * frequency cancel in the quotient. The series is sorted; `curve` is page minus packed, and the
 * knees are its levels. */
bool interference_two_states(const struct series *series, const struct point *page,
                             const struct curve *curve, const struct knee *knees, size_t count,
                             size_t k);

/* Whether a rise extends to more than 1.6 times the size at which it begins, as it does under
 * interference at random moments. Uneven sets and random replacement have the same effect, so this
 * is a hint only. */
bool interference_long_rise(const struct curve *curve, const struct knee *knee);

#endif
