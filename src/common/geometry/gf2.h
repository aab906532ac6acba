/* gf2.h: linear algebra over the field of two elements; a vector is the bits of a number. */
#ifndef TLBLAB_GEOMETRY_GF2_H
#define TLBLAB_GEOMETRY_GF2_H

#include <stddef.h>
#include <stdint.h>

/* All vectors of `bits` bits (64 at most) that are orthogonal to each of the given ones: writes a
 * basis of them in reduced form, each with a lowest bit that no other has, in ascending order of
 * it, and returns its size. `basis` has room for `bits` vectors. */
size_t gf2_annihilator(const uint64_t *vectors, size_t count, size_t bits, uint64_t *basis);

#endif
