/* slice_hash.c: from addresses to slices. */
#include "slices/hash/slice_hash.h"
#include "base/xor_space.h"
#include <stdlib.h>

/* The XOR applied to the indices at an address. */
static size_t shift_at(const struct slice_hash *h, uint64_t paddr)
{
    return (size_t)xor_index(h->mask, h->index_bits, paddr);
}

bool slice_is_known(const struct slice_hash *h, uint64_t paddr)
{
    if (paddr >> h->top_bit >> 1 != 0)
        return false;
    for (unsigned i = 0; i < h->limits; i++)
        if (parity(paddr & h->limit[i]) != h->limit_parity[i])
            return false;
    return true;
}

int slice_of(const struct slice_hash *h, uint64_t paddr)
{
    size_t lines = (size_t)1 << h->index_bits;
    return slice_is_known(h, paddr)
               ? h->base[((paddr >> LINE_BITS) & (lines - 1)) ^ shift_at(h, paddr)]
               : SLICE_MISSING;
}

void slices_of(const struct slice_hash *h, uint64_t paddr, size_t lines, signed char *slices)
{
    size_t run = (size_t)1 << h->index_bits; /* lines with the same shift */
    run = run < lines ? run : lines;
    for (size_t done = 0; done < lines; done += run) {
        uint64_t at = paddr + ((uint64_t)done << LINE_BITS);
        size_t index = (at >> LINE_BITS) & (((size_t)1 << h->index_bits) - 1);
        size_t shift = shift_at(h, at);
        for (size_t i = 0; i < run; i++)
            slices[done + i] = (signed char)(slice_is_known(h, at + ((uint64_t)i << LINE_BITS))
                                                 ? h->base[(index + i) ^ shift]
                                                 : SLICE_MISSING);
    }
}

unsigned slices_count(const signed char *slices, size_t lines)
{
    bool seen[SLICES_MAX] = {false};
    unsigned count = 0;
    for (size_t i = 0; i < lines; i++)
        if (slices[i] >= 0 && !seen[slices[i]]) {
            seen[slices[i]] = true;
            count++;
        }
    return count;
}

unsigned slice_hash_end(const struct slice_hash *h)
{
    int most = 0;
    for (size_t i = 0; i < (size_t)1 << h->index_bits; i++)
        most = h->base[i] > most ? h->base[i] : most;
    return (unsigned)most + 1;
}

void slice_hash_free(struct slice_hash *h)
{
    free(h->base);
}
