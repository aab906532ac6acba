/* envelope.h: the lower envelope: what a level does where nobody else takes its entries.
 *
 * A neighbour on the other hardware thread of the core takes entries for stretches of milliseconds.
 * The fastest lap of a sample (min_ns) often meets none; a clean curve cannot fall when nodes are
 * added, and noise only adds. So its best estimate at a size is the least of all laps at that size
 * or a larger one. */
#ifndef TLBLAB_CURVE_ENVELOPE_H
#define TLBLAB_CURVE_ENVELOPE_H

#include "access/series.h"
#include "tlb/curve/curve.h"
#include <stdbool.h>

/* page minus packed (any points on these curves), each the least lap at this size or a larger one.
 * The error is how far the next lap lies above the least: the clean time may lie as far below. Of
 * eight samples or more of a short chain the fastest is left out: it may fit for once into a level
 * that it overflows. Where page frames make samples of `packed` scatter, their median counts. Of a
 * kernel that executes each size counts alone: tables for jumps let its clean curve fall. The
 * series is sorted. */
struct curve envelope(const struct series *series, const struct point *page,
                      const struct point *packed);

/* Whether a neighbour holds entries for longer than a sample takes: some sizes of `page` have two
 * kinds of samples, and `packed` (NULL: none) has not. */
bool envelope_two_states(const struct series *series, const struct point *page,
                         const struct point *packed);

#endif
