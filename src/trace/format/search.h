/* search.h: ranges of addresses, found by bisection. */
#ifndef TLBLAB_FORMAT_SEARCH_H
#define TLBLAB_FORMAT_SEARCH_H

#include <stddef.h>
#include <stdint.h>

/* How many of the items begin at or before the address: the last of them is the one that may have
 * it. An item has `stride` bytes, of which the first eight are where it begins; they ascend. */
static inline size_t search_begins(const void *items, size_t count, size_t stride, uint64_t address)
{
    size_t from = 0, to = count;
    while (from < to) {
        size_t middle = from + (to - from) / 2;
        if (*(const uint64_t *)(const void *)((const char *)items + middle * stride) <= address)
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}

#endif
