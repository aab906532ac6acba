/* hierarchy.h: levels of set-associative structures, looked up one after the other: a TLB, or the
 * caches. */
#ifndef TLBLAB_SIMULATE_HIERARCHY_H
#define TLBLAB_SIMULATE_HIERARCHY_H

#include "simulate/access_order.h"
#include "simulate/assoc.h"
#include <stdint.h>

/* What a level has to do with the level before. In every relation a miss fills the levels that it
 * passed. NEITHER: a level keeps what another drops. INCLUSIVE: what leaves this level leaves the
 * level before too. EXCLUSIVE: a miss does not fill this level, but what leaves the level before
 * comes here, and what is found here moves to the level before (to the first of several exclusive
 * ones). */
enum relation { INCLUSION_NEITHER, INCLUSION_INCLUSIVE, INCLUSION_EXCLUSIVE };

enum { HIERARCHY_LEVELS = 8 };

/* What the nodes are to a level: pages or lines. Keys number those that nodes lie on. */
struct granules {
    uint32_t count;
    uint32_t *key;    /* of each node */
    uint64_t *number; /* of each key: of the page or line, which selects the set */
};

struct hierarchy_level {
    struct assoc_shape shape;
    enum relation relation; /* but for NEITHER the keys are those of the level before */
    const struct granules *granules;
    uint32_t fetched; /* keys that a miss brings in together, from a multiple of it on; 0 is 1 */
};

struct hierarchy {
    struct hierarchy_level level[HIERARCHY_LEVELS];
    int levels;
};

/* The share of the visits that each level serves in the steady state, and behind the last level
 * that which none serves: hierarchy->levels + 1 numbers. The seed is for random replacement. */
void hierarchy_serve(const struct hierarchy *hierarchy, struct access_order *order, uint64_t seed,
                     double *share);

#endif
