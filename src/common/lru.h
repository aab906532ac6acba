/* lru.h: one TLB or cache: sets of ways, each set replacing its least recently used key. */
#ifndef TLBLAB_LRU_H
#define TLBLAB_LRU_H

#include <stdbool.h>
#include <stdint.h>

struct lru {
    struct lru_ring *rings; /* private */
    uint64_t keys, sets;
    uint32_t ways;
};

/* An empty one of `entries`, a multiple of `ways`, for keys (pages or lines) 0 … keys − 1. */
void lru_open(struct lru *lru, uint64_t entries, uint64_t ways, uint64_t keys);
void lru_close(struct lru *lru);

/* Says into which set a key goes: `number` modulo the sets. Before the first access to it. */
void lru_place(struct lru *lru, uint32_t key, uint64_t number);

/* An access: true for a hit. The key becomes the newest of its set, in place of the oldest where a
 * miss finds the set full. */
bool lru_access(struct lru *lru, uint32_t key);

#endif
