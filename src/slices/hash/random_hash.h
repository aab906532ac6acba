/* random_hash.h: hashes of any number of slices, for tests and teaching. */
#ifndef TLBLAB_HASH_RANDOM_HASH_H
#define TLBLAB_HASH_RANDOM_HASH_H

#include "base/random.h"
#include "slices/hash/slice_hash.h"

struct random_hash {
    unsigned slices;     /* 2 to SLICES_MAX */
    unsigned index_bits; /* of the base: 4 to INDEX_BITS_MAX - 1 */
    unsigned top_bit;    /* highest address bit of the masks */
    uint64_t seed;
};

/* A hash in canonical form, as slice_solve() finds it. Dies if there is none: too few lines for
 * that many slices. */
struct slice_hash random_hash_make(const struct random_hash *wanted);

/* Any number of symmetries. */
#define RANDOM_HASH_ANY SIZE_MAX

/* Draws the masks of a base, for tests that make one with 2^symmetries XOR shifts that leave it
 * unchanged. False if it has another number of them or of slices, or repeats earlier. */
bool random_hash_complete(struct slice_hash *h, unsigned slices, size_t symmetries,
                          struct random *random);

#endif
