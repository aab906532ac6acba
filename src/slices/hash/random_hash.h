/* random_hash.h: hashes of any number of slices, and pages, for tests and teaching. */
#ifndef TLBLAB_HASH_RANDOM_HASH_H
#define TLBLAB_HASH_RANDOM_HASH_H

#include "base/random.h"
#include "slices/hash/slice_hash.h"

struct random_hash {
    unsigned slices;     /* 2 to SLICES_MAX */
    unsigned index_bits; /* of the base: 4 to INDEX_BITS_MAX */
    unsigned top_bit;    /* highest address bit of the masks */
    uint64_t seed;
};

/* A hash in canonical form, as slice_solve() finds it. Dies if there is none: too few lines for
 * that many slices. */
struct slice_hash random_hash_make(const struct random_hash *wanted);

/* Draws the masks of a base, for tests that make one with 2^symmetries XOR shifts that leave it
 * unchanged. False if it has another number of them or of slices, or repeats earlier. */
bool random_hash_complete(struct slice_hash *h, unsigned slices, unsigned symmetries,
                          struct random *random);

/* `count` different random blocks of 2^block_bits lines below 2^(top_bit + 1), excluding the one at
 * address 0. The caller frees them. Dies if there are not that many. */
uint64_t *random_pages(unsigned top_bit, unsigned block_bits, size_t count, uint64_t seed);

#endif
