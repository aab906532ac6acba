/* envelope.h: the lower envelope: how a level behaves when nobody else takes its entries.
 *
 * A neighbour on the other hardware thread of the core takes entries for milliseconds at a time.
 * The fastest lap of a sample (min_ns) often escapes it. A clean curve cannot fall when nodes are
 * added, and noise only adds time, so the best estimate at a size is the fastest lap at that size
 * or a larger one. */
#ifndef TLBLAB_CURVE_ENVELOPE_H
#define TLBLAB_CURVE_ENVELOPE_H

#include "access/series.h"
#include "tlb/curve/curve.h"
#include <stdbool.h>

/* page minus packed (any points on these curves), each the fastest lap at this size or larger. The
 * error is the distance to the next lap of the same size: the clean time may be as far below. The
 * fastest of eight or more samples of a short chain is left out: by chance the chain may have
 * fitted into a level that it overflows. If page frames make samples of `packed` scatter, their
 * median is used. The series is sorted. */
struct curve envelope(const struct series *series, const struct point *page,
                      const struct point *packed);

#endif
