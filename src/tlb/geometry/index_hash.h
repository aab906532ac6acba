/* index_hash.h: which bits of the page number a set index XORs. */
#ifndef TLBLAB_GEOMETRY_INDEX_HASH_H
#define TLBLAB_GEOMETRY_INDEX_HASH_H

#include "tlb/geometry/stride_profile.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The folds of a hashed index. With fold N, bit i of the index is the XOR of bits i and i + N of
 * the page number, so pages 2^j + 2^(j + N) pages apart fall into one set. */
struct index_hash {
    int from, to;     /* candidate folds, `to` excluded; none when equal */
    int bits;         /* of the index */
    uint64_t targets; /* a power of two, more than a set has ways */
    uint64_t stride;  /* in pages; pages at this distance fall into one set */
    double none;      /* measured share of misses when no target misses; negative if the cost of a
                         first-level miss was overestimated */
    bool found[STRIDE_PROFILE_STRIDES + 1]; /* by fold */
};
struct index_hash index_hash_of(const struct stride_profile *profile);
uint64_t index_hash_stride(int fold, int j);

/* The index bits, as a basis of the space orthogonal to all page numbers known to fall into set 0.
 * `basis` has a capacity of 64 vectors. Returns their number. */
size_t index_hash_solve(const struct stride_profile *profile, const struct index_hash *hash,
                        uint64_t *basis);

/* How many of the others fall into the targets' set under such a basis and occupy ways there. */
uint64_t index_hash_others(const struct stride_profile *profile, const uint64_t *basis,
                           size_t count);

/* Such a basis as text: each index bit as an XOR of bits of the page number, "0^7,1^8". The string
 * is kept (field_keep()). */
const char *index_hash_spell(const uint64_t *basis, size_t count);

#endif
