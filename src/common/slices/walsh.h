/* walsh.h: Walsh-Hadamard transforms, which turn a correlation over all XOR shifts into a product.
 */
#ifndef TLBLAB_SLICES_WALSH_H
#define TLBLAB_SLICES_WALSH_H

#include <stddef.h>
#include <stdint.h>

/* In place, of 2^bits numbers, 16 at least; not divided by anything. Exact for whole numbers as
 * long as sums of their absolute values stay below 2^24 (float) and 2^53 (double). */
void walsh_float(float *numbers, unsigned bits);
void walsh_double(double *numbers, unsigned bits);

/* Sequences of slices of 2^bits lines; a slice below 0 is missing and equal to nothing. For each of
 * `count` sequences, agreements[k][s] becomes the number of lines x with sequence[k][x] ==
 * reference[x XOR s]. Exact. */
void xor_agreements(const signed char *reference, const signed char *const *sequences, size_t count,
                    unsigned bits, double *const *agreements);

#endif
