/* walsh.h: Walsh-Hadamard transforms, which turn a correlation over all XOR shifts into a product.
 */
#ifndef TLBLAB_HASH_WALSH_H
#define TLBLAB_HASH_WALSH_H

#include <stddef.h>

/* Sequences of slices of 2^bits lines; a negative slice is missing and equals nothing. For each of
 * `count` sequences, agreements[k][s] becomes the number of lines x with sequence[k][x] ==
 * reference[x XOR s]. Exact. */
void xor_agreements(const signed char *reference, const signed char *const *sequences, size_t count,
                    unsigned bits, double *const *agreements);

#endif
