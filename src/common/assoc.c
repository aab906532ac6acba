/* assoc.c: one set-associative structure.
 *
 *     struct assoc tlb;
 *     assoc_open(&tlb, &(struct assoc_shape){.entries = 1536, .ways = 12}, numbers, pages, seed);
 *     bool hit = assoc_access(&tlb, page);
 */
#include "assoc.h"
#include "error.h"
#include <stdlib.h>

/* Two representations, so that no access takes longer for more ways. LRU and FIFO keep the keys of
 * a set in a ring from the newest to the oldest, closed by the set's head; the rings are made of
 * indices: a key's is its number + 1, the heads follow behind the keys. PLRU and RANDOM must know
 * the way of each key: its slot. Everything starts as zeros, so that sets that no key selects are
 * not touched: a cache has many of them. */
struct assoc_key {
    uint32_t set;
    uint32_t older, newer; /* ring; of a head: the newest, the oldest. newer 0: key not held */
    uint32_t way;          /* slots: its way + 1, 0: key not held */
};

struct assoc_set {
    uint32_t held; /* ring: how many keys; slots: how many ways have ever been used */
    uint32_t free; /* slots: a way + 1 that a key was dropped from, whose slot names the next one */
};

uint64_t assoc_set(const struct assoc_shape *shape, uint64_t number)
{
    uint64_t sets = shape->entries / shape->ways;
    if (shape->index == INDEX_XOR)
        number ^= number >> shape->fold;
    else if (shape->index == INDEX_HASHED)
        number = random_mix(shape->key, number);
    return (sets & (sets - 1)) == 0 ? number & (sets - 1) : number % sets;
}

static bool is_ring(const struct assoc *a)
{
    return a->shape->replacement == REPLACE_LRU || a->shape->replacement == REPLACE_FIFO;
}

void assoc_open(struct assoc *a, const struct assoc_shape *shape, const uint64_t *numbers,
                uint32_t count, uint64_t seed)
{
    uint64_t sets = shape->entries / shape->ways;
    *a = (struct assoc){.shape = shape, .leaves = 1};
    while (a->leaves < shape->ways)
        a->leaves *= 2;
    a->sets = allocate(sets, sizeof *a->sets);
    a->keys = allocate(1 + count + (is_ring(a) ? sets : 0), sizeof *a->keys);
    for (uint32_t key = 0; key < count; key++)
        a->keys[1 + key].set = (uint32_t)assoc_set(shape, numbers[key]);
    for (uint64_t set = 0; is_ring(a) && set < sets; set++)
        a->heads = 0;
    if (!is_ring(a))
        a->slots = allocate(shape->entries, sizeof *a->slots);
    if (shape->replacement == REPLACE_PLRU)
        a->trees = allocate(sets, a->leaves);
    random_seed(&a->random, seed, 0);
}
