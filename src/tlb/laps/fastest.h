/* fastest.h: the levels of a curve without moments, from the misses of its fastest laps.
 *
 * Between two plateaus a load that misses adds the step, so the misses of a lap over n pages are
 * n (time - lower plateau) / step. A level ends no lower than the last size of which less than one
 * load misses, and no higher than the first of which half of them do. Nobody measured what lies
 * between these sizes, so that is its range. */
#ifndef TLBLAB_LAPS_FASTEST_H
#define TLBLAB_LAPS_FASTEST_H

#include "tlb/curve/curve.h"
#include "tlb/curve/knee.h"
#include "tlb/laps/level.h"
#include <stddef.h>

/* The level or cache that ends at a knee of the curve: exact if one more page misses often, beyond
 * the noise. */
struct level fastest_level(const struct curve *curve, const struct knee *knee);

#endif
