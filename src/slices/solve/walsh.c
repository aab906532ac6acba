/* walsh.c: correlation over all XOR shifts at once.
 *
 * The number of lines on which two sequences agree at shift s is the sum, over all slices, of the
 * XOR correlation of the slice's indicators in each: a product of transforms, transformed back. */
#include "base/error.h"
#include "slices/solve/solver.h"
#include <stdlib.h>
#include <string.h>

typedef float four __attribute__((vector_size(16), may_alias, aligned(4)));

/* In place, on 2^bits numbers, unnormalised. Exact for integers as long as sums of their absolute
 * values stay below 2^24, or 2^53 in walsh_double(). */
static void walsh_float(float *a, unsigned bits)
{
    size_t n = (size_t)1 << bits;
    for (size_t i = 0; i < n; i += 4) { /* strides 1 and 2 */
        float s = a[i] + a[i + 1], d = a[i] - a[i + 1];
        float t = a[i + 2] + a[i + 3], e = a[i + 2] - a[i + 3];
        a[i] = s + t;
        a[i + 1] = d + e;
        a[i + 2] = s - t;
        a[i + 3] = d - e;
    }
    for (size_t h = 4; h < n; h *= 2)
        for (size_t i = 0; i < n; i += 2 * h)
            for (size_t j = i; j < i + h; j += 4) {
                four *p = (four *)(a + j), *q = (four *)(a + j + h);
                four s = *p + *q, d = *p - *q;
                *p = s;
                *q = d;
            }
}

static void walsh_double(double *a, unsigned bits)
{
    size_t n = (size_t)1 << bits;
    for (size_t h = 1; h < n; h *= 2)
        for (size_t i = 0; i < n; i += 2 * h)
            for (size_t j = i; j < i + h; j++) {
                double s = a[j] + a[j + h], d = a[j] - a[j + h];
                a[j] = s;
                a[j + h] = d;
            }
}

/* The transformed indicator of this slice. False, with nothing written, if the sequence lacks
 * it. */
static bool transform_of(const signed char *sequence, int slice, unsigned bits, float *transform)
{
    size_t n = (size_t)1 << bits;
    if (memchr(sequence, slice, n) == NULL)
        return false;
    for (size_t x = 0; x < n; x++)
        transform[x] = sequence[x] == slice;
    walsh_float(transform, bits);
    return true;
}

void xor_agreements(const signed char *reference, const signed char *const *sequences, size_t count,
                    unsigned bits, double *const *agreements)
{
    size_t n = (size_t)1 << bits;
    float *of_reference = allocate(2 * n, sizeof *of_reference), *of_sequence = of_reference + n;
    for (size_t k = 0; k < count; k++)
        memset(agreements[k], 0, n * sizeof **agreements);
    for (int slice = 0; slice < SLICES_MAX; slice++) {
        if (!transform_of(reference, slice, bits, of_reference))
            continue;
        for (size_t k = 0; k < count; k++) {
            if (!transform_of(sequences[k], slice, bits, of_sequence))
                continue;
            for (size_t x = 0; x < n; x++)
                agreements[k][x] += (double)of_reference[x] * (double)of_sequence[x];
        }
    }
    for (size_t k = 0; k < count; k++) {
        walsh_double(agreements[k], bits);
        for (size_t x = 0; x < n; x++)
            agreements[k][x] /= (double)n;
    }
    free(of_reference);
}
