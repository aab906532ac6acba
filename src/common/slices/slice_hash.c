/* slice_hash.c: from addresses to slices. */
#include "slices/slice_hash.h"
#include "slices/xor_space.h"
#include <stdlib.h>

/* The XOR of the indices at an address. */
static size_t shift_at(const struct slice_hash *h, uint64_t paddr)
{
    size_t shift = 0;
    for (unsigned t = 0; t < h->index_bits; t++)
        shift |= (size_t)parity(paddr & h->mask[t]) << t;
    return shift;
}

int slice_of(const struct slice_hash *h, uint64_t paddr)
{
    size_t lines = (size_t)1 << h->index_bits;
    return h->base[((paddr >> LINE_BITS) & (lines - 1)) ^ shift_at(h, paddr)];
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

void slices_of(const struct slice_hash *h, uint64_t paddr, size_t lines, signed char *slices)
{
    size_t run = (size_t)1 << h->index_bits; /* lines with the same shift */
    run = run < lines ? run : lines;
    for (size_t done = 0; done < lines; done += run) {
        uint64_t at = paddr + ((uint64_t)done << LINE_BITS);
        size_t index = (at >> LINE_BITS) & (((size_t)1 << h->index_bits) - 1);
        size_t shift = shift_at(h, at);
        for (size_t i = 0; i < run; i++)
            slices[done + i] = h->base[(index + i) ^ shift];
    }
}

void slice_hash_count(struct slice_hash *h)
{
    bool seen[SLICES_MOST] = {false};
    h->slices = 0;
    for (size_t i = 0; i < (size_t)1 << h->index_bits; i++)
        if (h->base[i] >= 0 && !seen[h->base[i]]) {
            seen[h->base[i]] = true;
            h->slices++;
        }
}

void slice_hash_free(struct slice_hash *h)
{
    free(h->base);
}
