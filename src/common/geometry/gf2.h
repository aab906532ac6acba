/* gf2.h: linear algebra over the field of two elements; a vector is the bits of a number. */
#ifndef TLBLAB_GEOMETRY_GF2_H
#define TLBLAB_GEOMETRY_GF2_H

#include <stddef.h>
#include <stdint.h>

/* The vectors of `bits` bits (at most 64) that are orthogonal to all given vectors: writes a
 * reduced basis, in which each vector has a lowest bit that no other has, ascending by that bit.
 * Returns its size. `basis` has room for `bits` vectors. */
size_t gf2_annihilator(const uint64_t *vectors, size_t count, size_t bits, uint64_t *basis);

#endif
