/* lru.c: one TLB or cache under true LRU.
 *
 *     struct lru tlb;
 *     lru_open(&tlb, 1536, 12, pages);
 *     lru_place(&tlb, page, page_number);
 *     bool hit = lru_access(&tlb, page);
 */
#include "lru.h"
#include "error.h"
#include <stdlib.h>

/* The keys that a set holds form a ring from the newest to the oldest, closed by the set's head, so
 * that an access takes constant time for any number of ways. The heads stand behind the keys. */
struct lru_ring {
    uint32_t older, newer; /* of a head: the newest, the oldest */
    uint32_t set;          /* of a key: its head; of a head: how many keys are held */
};

static const uint32_t absent = UINT32_MAX; /* in `newer` of a key that is not held */

void lru_open(struct lru *lru, uint64_t entries, uint64_t ways, uint64_t keys)
{
    lru->keys = keys;
    lru->sets = entries / ways;
    lru->ways = (uint32_t)ways;
    lru->rings = allocate(keys + lru->sets, sizeof *lru->rings);
    for (uint64_t key = 0; key < keys; key++)
        lru->rings[key].newer = absent;
    for (uint64_t head = keys; head < keys + lru->sets; head++)
        lru->rings[head].older = lru->rings[head].newer = (uint32_t)head;
}

void lru_close(struct lru *lru)
{
    free(lru->rings);
}

void lru_place(struct lru *lru, uint32_t key, uint64_t number)
{
    lru->rings[key].set = (uint32_t)(lru->keys + number % lru->sets);
}

static void take_out(struct lru_ring *rings, struct lru_ring *key)
{
    rings[key->newer].older = key->older;
    rings[key->older].newer = key->newer;
    key->newer = absent;
}

bool lru_access(struct lru *lru, uint32_t key)
{
    struct lru_ring *rings = lru->rings, *at = &rings[key], *head = &rings[at->set];
    bool hit = at->newer != absent;
    if (hit)
        take_out(rings, at);
    else if (head->set < lru->ways)
        head->set++;
    else
        take_out(rings, &rings[head->newer]);
    at->older = head->older;
    at->newer = at->set;
    rings[at->older].newer = key;
    head->older = key;
    return hit;
}
