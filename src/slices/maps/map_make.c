/* map_make.c: makes maps of pages from a hash. */
#include "slices/maps/map_make.h"
#include "base/error.h"
#include "base/random.h"

/* The random stream. [bound] */
enum { STREAM_PAGES = 1 };

/* A random bijection of 2^bits numbers that fixes 0: multiplications by odd numbers, and XORs with
 * the number's own higher bits. */
static uint64_t scramble(uint64_t x, unsigned bits, const uint64_t odd[3])
{
    for (int round = 0; round < 3; round++) {
        x = x * odd[round] & (((uint64_t)1 << bits) - 1);
        x ^= x >> (bits / 2 + 1);
    }
    return x;
}

uint64_t *map_random_pages(unsigned top_bit, unsigned block_bits, size_t count, uint64_t seed)
{
    unsigned low = LINE_BITS + block_bits, bits = top_bit + 1 > low ? top_bit + 1 - low : 0;
    uint64_t *pages = allocate(count, sizeof *pages), odd[3];
    struct random random;
    if (count >> bits != 0)
        die("below address bit %u there are only %llu blocks besides the one at 0", top_bit + 1,
            (unsigned long long)(((uint64_t)1 << bits) - 1));
    random_seed(&random, seed, STREAM_PAGES);
    for (int round = 0; round < 3; round++)
        odd[round] = random_next(&random) | 1;
    for (size_t k = 0; k < count; k++)
        pages[k] = scramble(k + 1, bits, odd) << low;
    return pages;
}

void map_make(const struct slice_hash *hash, uint64_t paddr, unsigned block_bits,
              signed char *slices)
{
    size_t lines = (size_t)1 << block_bits;
    slices_of(hash, paddr, lines, slices);
    for (size_t i = 0; i < lines; i++)
        if (!slice_is_known(hash, paddr + ((uint64_t)i << LINE_BITS)))
            slices[i] = SLICE_MISSING;
}
