/* plan_caches.h: the points that tell the sizes of the caches. */
#ifndef TLBLAB_PLAN_CACHES_H
#define TLBLAB_PLAN_CACHES_H

#include "batch.h"
#include <stdint.h>

/* Nodes of the smallest and the largest chain where none are asked for: 4 KiB and 256 MiB of lines
 * of 64 bytes, which is well beyond most last levels. */
enum { CACHES_LEAST = 64, CACHES_MOST = 4 << 20 };

/* Seconds that such a sweep takes at the most where nobody says. */
enum { CACHES_BUDGET_S = 15 };

/* Wishes for layout local at a line's spacing, six sizes in every octave between the bounds, up to
 * five samples each (fewer of long chains, one of the longest); where those of a short chain
 * scatter by more than 2 per cent up to fifteen; and, within each transition (derivative.h), for
 * sizes in between while neighbours differ by more than a fifth of the step and lie more than 1.5
 * per cent apart. */
void plan_caches(struct batch *batch);

#endif
