/* random_hash.h: hashes of any number of slices, for tests and teaching. */
#ifndef TLBLAB_HASH_RANDOM_HASH_H
#define TLBLAB_HASH_RANDOM_HASH_H

#include "slices/hash/slice_hash.h"

struct random_hash {
    unsigned slices;     /* 2 or more */
    unsigned index_bits; /* of the base */
    unsigned symmetries; /* 2^this XOR shifts leave the base unchanged; a linear one has its own */
    unsigned near;       /* 2^this times as many leave all but some 0.4 % of it unchanged */
    bool linear;         /* the base is linear: a power of two of slices */
    unsigned top_bit;    /* highest address bit of the masks */
    uint64_t seed;
};

/* A hash in canonical form, as slice_solve() finds it. Dies if there is none: too few lines for
 * that many slices and symmetries. */
struct slice_hash random_hash_make(const struct random_hash *wanted);

#endif
