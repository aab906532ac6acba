/* xor_space.h: subspaces of bit vectors under XOR, in row echelon form with the highest bits as
 * pivots, and linear equations over them. */
#ifndef TLBLAB_BASE_XOR_SPACE_H
#define TLBLAB_BASE_XOR_SPACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* row[b] is the vector whose highest bit is b, its pivot; 0: no pivot there. {0} holds only 0. */
struct xor_space {
    uint64_t row[64];
    unsigned size; /* number of rows */
};

/* Adds a vector; false if it is already in the space. */
bool xor_space_add(struct xor_space *space, uint64_t vector);

/* The vector in the same coset with all pivot bits 0; 0 for members of the space. */
uint64_t xor_space_reduce(const struct xor_space *space, uint64_t vector);

/* The k-th of the 2^size members; the 0th is 0. */
uint64_t xor_space_member(const struct xor_space *space, uint64_t k);

/* The vectors of `bits` bits that share an even number of bits with every member of a space of such
 * vectors: writes a basis in which each vector has a lowest bit that no other has, ascending by
 * that bit. Returns its size. `basis` holds `bits` vectors. */
unsigned xor_space_orthogonal(const struct xor_space *space, unsigned bits, uint64_t *basis);

unsigned parity(uint64_t vector); /* 1 if an odd number of bits are set */

/* The number whose bit i is the parity of vector & masks[i]; count is at most 64. */
uint64_t xor_index(const uint64_t *masks, size_t count, uint64_t vector);

/* Vectors as text: each as an exclusive or of bits, "0^7,1^8". Cut off if it does not fit. */
void xor_spell(const uint64_t *vectors, size_t count, char *text, size_t size);

/* Equations f(vector) = value of a linear function f; values are bit vectors. */
struct xor_equations {
    struct xor_space space;
    uint64_t value[64]; /* of each row */
};

/* Reduces *vector by the equations and returns the value of the part removed. If *vector becomes 0,
 * that is its value under f; else the equations do not determine it. */
uint64_t xor_equations_reduce(const struct xor_equations *equations, uint64_t *vector);

/* Adds an equation if its vector is not in the space; otherwise returns false and adds nothing. */
bool xor_equations_add(struct xor_equations *equations, uint64_t vector, uint64_t value);

/* Clears every pivot bit from the other rows. */
void xor_equations_clear_pivots(struct xor_equations *equations);

#endif
