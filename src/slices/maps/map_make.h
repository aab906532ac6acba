/* map_make.h: maps of pages, as a hash has them, with wrong and missing entries where asked for. */
#ifndef TLBLAB_MAPS_MAP_MAKE_H
#define TLBLAB_MAPS_MAP_MAKE_H

#include "slices/hash/slice_hash.h"

struct map_flaws {
    double wrong_percent, missing_percent; /* of the entries, drawn for each page */
    uint64_t mislabelled;                  /* of the first pages, the map is that of another page */
    uint64_t seed;
};

/* `count` different random blocks of 2^block_bits lines below 2^(top_bit + 1), but not that at
 * address 0. The caller frees them. Dies where there are not so many. */
uint64_t *map_random_pages(unsigned top_bit, unsigned block_bits, size_t count, uint64_t seed);

/* The map of the k-th block, at `paddr`. Lines for which the hash does not hold are missing. */
void map_make(const struct slice_hash *hash, uint64_t paddr, unsigned block_bits, size_t k,
              const struct map_flaws *flaws, signed char *slices);

#endif
