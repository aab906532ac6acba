/* prefetch.c: the points that show prefetchers. */
#include "tlb/detect/prefetch.h"
#include "tlb/plan/batch.h"
#include <math.h>

enum { SAMPLES = 7 }; /* of milliseconds: a median that two disturbed samples do not move [prior] */

static void request_probe(struct batch *batch, const struct prefetch_pattern *pattern, double steps)
{
    struct point point = prefetch_point(pattern, &batch->like, batch->options->most, steps);
    request_point(batch, &point, SAMPLES);
}

void plan_prefetch(struct batch *batch)
{
    for (const struct prefetch_pattern *p = prefetch_patterns; p->touches > 0; p++) {
        request_probe(batch, p, NAN);
        request_probe(batch, p, 0);
        for (int i = 0; i < PREFETCH_STEPS && p->steps[i] != 0; i++)
            request_probe(batch, p, p->steps[i]);
    }
}
