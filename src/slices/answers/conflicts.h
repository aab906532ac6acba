/* conflicts.h: how the lines of a piece of memory spread over the sets of each slice. */
#ifndef TLBLAB_ANSWERS_CONFLICTS_H
#define TLBLAB_ANSWERS_CONFLICTS_H

#include "slices/hash/slice_hash.h"

/* A structure in every slice; address bits from 6 up select the set. */
struct slice_sets {
    uint64_t sets; /* a power of two */
    uint64_t ways;
};

struct occupancy {
    struct slice_sets of;
    unsigned slices; /* the highest number plus 1 */
    uint32_t *lines; /* of each set of slice 0, then of slice 1, … */
    size_t total;
};
struct occupancy occupancy_begin(const struct slice_hash *hash, struct slice_sets of);
void occupancy_clear(struct occupancy *occupancy);
void occupancy_free(struct occupancy *occupancy);

/* Adds (sign 1) or removes (-1) lines at consecutive physical addresses. */
void occupancy_add(struct occupancy *occupancy, const struct slice_hash *hash, uint64_t paddr,
                   uint64_t bytes, int sign);

/* Adds memory at consecutive virtual addresses, backed by these pages in order. */
void occupancy_add_pages(struct occupancy *occupancy, const struct slice_hash *hash,
                         const uint64_t *pages, uint64_t page_bytes, uint64_t bytes);

/* Shares of the lines: those beyond the ways of their sets; and those in sets with more lines than
 * ways, which all miss if lines are visited cyclically under LRU replacement. */
struct conflicts {
    size_t lines;
    double overflow, cyclic;
};
struct conflicts conflicts_of(const struct occupancy *occupancy);

/* Orders pages so the first `wanted` of them overflow as little as possible, chosen greedily; ties
 * go to the page whose sets hold the fewest other lines. */
void conflicts_choose_pages(const struct slice_hash *hash, struct slice_sets of, uint64_t *pages,
                            size_t count, size_t wanted, uint64_t page_bytes);

#endif
