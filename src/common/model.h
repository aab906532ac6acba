/* model.h: a machine whose TLBs and caches are known, and what a chain costs on it: the ground
 * truth for tests, labs and accuracy figures. */
#ifndef TLBLAB_MODEL_H
#define TLBLAB_MODEL_H

#include "point.h"
#include <stdint.h>

#define MODEL_LEVELS 4

/* One level of a TLB or of the caches: true LRU within each of entries / ways sets. */
struct model_level {
    uint64_t entries; /* translations or lines */
    uint64_t ways;    /* divides entries; equal to it when fully associative */
    double ns; /* TLB: added to a load that is translated here; cache: a load that hits here */
};

struct model {
    char name[64];
    uint64_t page_bytes, line_bytes; /* powers of two */
    uint64_t memory_bytes;           /* where the page frames are drawn from */
    struct model_level tlb[MODEL_LEVELS], cache[MODEL_LEVELS];
    int tlbs, caches; /* levels in use, the first at index 0; may be 0 */
    double walk_ns;   /* added to a load that no TLB translates */
    double memory_ns; /* a load that no cache holds */
};

/* Reads a machine description (simulate(1), MACHINE DESCRIPTIONS); dies on a bad one, naming file,
 * line and column. */
void model_read(struct model *model, const char *path);

/* Why the machine cannot walk this point, or NULL when it can. */
const char *model_refuses(const struct model *model, const struct point *point);

/* What `chase` would have measured at the point, without noise: the mean time per access in the
 * steady state. The same (model, point, seed) gives the same sample whatever was measured before.
 */
void model_measure(const struct model *model, const struct point *point, uint64_t seed,
                   struct sample *sample);

/* The stream of random numbers of a point, from all that makes it and the number of the sample. */
uint64_t model_stream(const struct point *point);

#endif
