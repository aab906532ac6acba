/* index_hash.h: which bits of the page number are folded into the index of a set. */
#ifndef TLBLAB_GEOMETRY_INDEX_HASH_H
#define TLBLAB_GEOMETRY_INDEX_HASH_H

#include "geometry/stride_profile.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Pages 2^j + 2^(j + fold) pages apart fall into one set where bit i of the index is the exclusive
 * or of bits i and i + fold of the page number. */
struct index_hash {
    int from, to;     /* folds that are worth a try; none when equal */
    int bits;         /* of the index */
    uint64_t targets; /* a power of two, more than a set has ways */
    uint64_t stride;  /* in pages; at this distance pages do fall into one set */
    double none;      /* the share that seems to miss where none does: 0, or less where the first
                         level's misses cost less than they seemed to */
    bool found[STRIDE_PROFILE_STRIDES + 1];
};
struct index_hash index_hash_of(const struct stride_profile *profile);
uint64_t index_hash_stride(int fold, int j);

/* The index bits, from page numbers that are known to fall into set 0: a basis of what is
 * orthogonal to all of them (room for 64 vectors). Returns how many there are. */
size_t index_hash_solve(const struct stride_profile *profile, const struct index_hash *folds,
                        uint64_t *basis);

/* How many of the others lie in the set of the targets after all, given such a basis: they take
 * some of its ways. */
uint64_t index_hash_others(const struct stride_profile *profile, const uint64_t *basis,
                           size_t count);

/* Such a basis as text, each bit of the index as the exclusive or of bits of the page number:
 * "0^7,1^8". */
#define INDEX_BITS_ROOM 128 /* [bound] */
void index_hash_spell(const uint64_t *basis, size_t count, char text[INDEX_BITS_ROOM]);

#endif
