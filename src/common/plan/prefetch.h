/* prefetch.h: the points that show prefetchers. */
#ifndef TLBLAB_PLAN_PREFETCH_H
#define TLBLAB_PLAN_PREFETCH_H

#include "plan/batch.h"

/* Requests for each pattern of touches (detect/prefetch.h) the control, the hit and the probes; the
 * last of --pages is the number of groups. */
void plan_prefetch(struct batch *batch);

#endif
