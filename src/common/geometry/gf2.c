/* gf2.c: linear algebra over the field of two elements.
 *
 *     uint64_t kernel[] = {0x81, 0x102}, basis[9];
 *     size_t count = gf2_annihilator(kernel, 2, 9, basis);    // 7: bits 0^7, 1^8, 2, 3, 4, 5, 6
 */
#include "geometry/gf2.h"

/* Gauss-Jordan elimination: pivot[b] is the row whose highest bit is b, a bit that no other row
 * has; 0 where there is none. */
static void reduce(const uint64_t *vectors, size_t count, size_t bits, uint64_t *pivot)
{
    for (size_t b = 0; b < bits; b++)
        pivot[b] = 0;
    for (size_t i = 0; i < count; i++) {
        uint64_t row = bits < 64 ? vectors[i] & (((uint64_t)1 << bits) - 1) : vectors[i];
        for (size_t b = bits; b-- > 0 && row != 0;) {
            if (!(row >> b & 1))
                continue;
            if (pivot[b] == 0) {
                pivot[b] = row;
                row = 0;
            } else
                row ^= pivot[b];
        }
    }
    for (size_t b = 0; b < bits; b++) /* clear each pivot's bit from the rows above it */
        for (size_t above = b + 1; above < bits && pivot[b] != 0; above++)
            if (pivot[above] >> b & 1)
                pivot[above] ^= pivot[b];
}

size_t gf2_annihilator(const uint64_t *vectors, size_t count, size_t bits, uint64_t *basis)
{
    uint64_t pivot[64];
    size_t size = 0;
    reduce(vectors, count, bits, pivot);
    for (size_t free = 0; free < bits; free++) {
        if (pivot[free] != 0)
            continue;
        uint64_t vector = (uint64_t)1 << free;
        for (size_t b = free + 1; b < bits; b++)
            if (pivot[b] >> free & 1)
                vector |= (uint64_t)1 << b;
        basis[size++] = vector;
    }
    return size;
}
