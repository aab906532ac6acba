/* caches.h: the points that tell the sizes of the caches. */
#ifndef TLBLAB_PLAN_CACHES_H
#define TLBLAB_PLAN_CACHES_H

#include "plan/batch.h"

/* Seconds that such a sweep takes at the most where nobody says. [prior] */
enum { CACHES_BUDGET_S = 15 };

/* Requests for layout local at a line's spacing, six sizes in every octave to 8 MiB of lines of 64
 * bytes and three beyond, up to five samples each (fewer of long chains, one of the longest), more
 * where those of a short chain scatter; and, within a transition (derivative.h) that is sharp or
 * long, for sizes in between. Around one that is gradual, and not too large, for loads drawn anew
 * (kernel `random`); around the last, and all above CACHES_PRIVATE, for CACHES_CHAINS chains. What
 * the small sizes want comes before the long ones. */
void plan_caches(struct batch *batch);

#endif
