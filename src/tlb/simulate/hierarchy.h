/* hierarchy.h: set-associative levels, looked up one after the other: a TLB or the caches. */
#ifndef TLBLAB_SIMULATE_HIERARCHY_H
#define TLBLAB_SIMULATE_HIERARCHY_H

#include "tlb/simulate/access_order.h"
#include "tlb/simulate/assoc.h"
#include <stdint.h>

/* How a level depends on the level before. A miss fills every level that it passed, except
 * exclusive ones. NEITHER: levels replace independently. INCLUSIVE: a key evicted here is
 * invalidated in the level before. EXCLUSIVE: a miss does not fill this level; keys evicted from
 * the level before move here, and a hit here moves the key to the level before (the first of
 * several exclusive ones). */
enum relation { INCLUSION_NEITHER, INCLUSION_INCLUSIVE, INCLUSION_EXCLUSIVE };

enum { HIERARCHY_LEVELS = 8 };

/* The pages or lines on which nodes lie, at one level's granularity, numbered by keys. */
struct granules {
    uint32_t count;
    uint32_t *key;    /* of each node */
    uint64_t *number; /* page or line number of each key, which selects the set */
};

struct hierarchy_level {
    struct assoc_shape shape;
    enum relation relation; /* unless NEITHER, the keys are those of the level before */
    const struct granules *granules;
    uint32_t fetched; /* keys filled by one miss, aligned to their number; 0 is 1 */
};

struct hierarchy {
    struct hierarchy_level level[HIERARCHY_LEVELS];
    int levels;
};

/* Fills share[0 … levels]: the share of visits that each level serves in the steady state, and last
 * the share that none serves. The seed is for random replacement. */
void hierarchy_serve(const struct hierarchy *hierarchy, struct access_order *order, uint64_t seed,
                     double *share);

#endif
