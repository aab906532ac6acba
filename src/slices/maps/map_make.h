/* map_make.h: makes maps of pages from a hash. */
#ifndef TLBLAB_MAPS_MAP_MAKE_H
#define TLBLAB_MAPS_MAP_MAKE_H

#include "slices/hash/slice_hash.h"

/* `count` different random blocks of 2^block_bits lines below 2^(top_bit + 1), excluding the one at
 * address 0. The caller frees them. Dies if there are not that many. */
uint64_t *map_random_pages(unsigned top_bit, unsigned block_bits, size_t count, uint64_t seed);

/* The map of the block at `paddr`. Lines the hash does not apply to are missing. */
void map_make(const struct slice_hash *hash, uint64_t paddr, unsigned block_bits,
              signed char *slices);

#endif
