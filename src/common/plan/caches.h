/* caches.h: the points that show the sizes of the caches. */
#ifndef TLBLAB_PLAN_CACHES_H
#define TLBLAB_PLAN_CACHES_H

#include "plan/batch.h"

/* Default budget of such a sweep, in seconds. [prior] */
enum { CACHES_BUDGET_S = 15 };

/* Requests layout `local` at a line's spacing:
 * - six sizes an octave up to 8 MiB of lines of 64 bytes, three beyond; up to five samples each,
 *   fewer of long chains, more of short chains that scatter;
 * - sizes within a sharp or large transition (derivative.h);
 * - kernel `random` around a gradual transition that is not too large;
 * - CACHES_CHAINS chains around the last transition and all above CACHES_PRIVATE.
 * All requests of small sizes come before those of long chains. */
void plan_caches(struct batch *batch);

#endif
