/* prefetch.c: the points that show prefetchers. */
#include "tlb/detect/prefetch.h"
#include "tlb/plan/batch.h"
#include <math.h>

enum { SAMPLES = 7 }; /* of milliseconds: a median that two disturbed samples do not move [prior] */

/* Of each pattern the control, the hit, and the probes. */
void plan_prefetch(struct batch *batch)
{
    for (const struct prefetch_pattern *p = prefetch_patterns; p->touches > 0; p++)
        for (int i = -2; i < PREFETCH_STEPS && (i < 0 || p->steps[i] != 0); i++) {
            double steps = i == -2 ? (double)NAN : i == -1 ? 0 : p->steps[i];
            struct point point = prefetch_point(p, &batch->like, batch->options->most, steps);
            request_point(batch, &point, SAMPLES);
        }
}
