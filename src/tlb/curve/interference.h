/* interference.h: signs of interference: a busy hardware thread on the same core occupies entries
 * of a shared TLB level. */
#ifndef TLBLAB_CURVE_INTERFERENCE_H
#define TLBLAB_CURVE_INTERFERENCE_H

#include "access/series.h"
#include "tlb/curve/knee.h"
#include <stdbool.h>

/* Whether something else occupied entries of the level during the measurement: up to `to` times the
 * last size that fits, the usual sample of `page` exceeds the fastest by relatively more than that
 * of `packed` does, and by a noticeable fraction of the rise that follows. The series is sorted;
 * `curve` is page minus packed. */
bool interference_at(const struct series *series, const struct point *page,
                     const struct curve *curve, const struct knee *knee, double to);

#endif
