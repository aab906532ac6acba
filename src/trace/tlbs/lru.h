/* lru.h: the entries of a set-associative structure that replaces the one least recently used (or,
 * as FIFO, the one filled first): found by a hash of their tags, and kept in the order of their
 * uses. Each step takes the same short time, whatever the ways. It is in a header so that searches
 * are inlined. */
#ifndef TLBLAB_TLBS_LRU_H
#define TLBLAB_TLBS_LRU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One entry, or the head of a set, where the ring of its entries begins and ends. */
struct lru_node {
    uint64_t tag; /* 0: empty */
    uint32_t older, newer;
    uint32_t next; /* in its bucket */
};

#define LRU_NONE UINT32_MAX

struct lru {
    struct lru_node *nodes; /* `entries` of them, then the heads of `sets` */
    uint32_t *buckets;
    uint32_t entries, sets, bucket_mask;
};

/* A power of two, so that at most half of the buckets are in use. */
static inline uint32_t lru_buckets(uint32_t entries)
{
    uint32_t buckets = 2;
    while (buckets < 2 * entries)
        buckets *= 2;
    return buckets;
}

/* The bytes that lru_open() takes. */
static inline size_t lru_bytes(uint32_t entries, uint32_t sets)
{
    return ((size_t)entries + sets) * sizeof(struct lru_node) +
           lru_buckets(entries) * sizeof(uint32_t);
}

/* An empty structure in lru_bytes() of memory, which stays the caller's. */
static inline void lru_open(struct lru *l, uint32_t entries, uint32_t sets, void *memory)
{
    *l = (struct lru){.nodes = memory, .entries = entries, .sets = sets};
    l->buckets = (uint32_t *)(void *)(l->nodes + entries + sets);
    l->bucket_mask = lru_buckets(entries) - 1;
    for (uint32_t i = 0; i <= l->bucket_mask; i++)
        l->buckets[i] = LRU_NONE;
    for (uint32_t set = 0; set < sets; set++) {
        uint32_t head = entries + set, last = head;
        for (uint32_t entry = set; entry < entries; entry += sets) {
            l->nodes[entry] = (struct lru_node){.newer = last, .next = LRU_NONE};
            l->nodes[last].older = entry;
            last = entry;
        }
        l->nodes[last].older = head;
        l->nodes[head].newer = last;
    }
}

static inline uint32_t *lru_bucket(const struct lru *l, uint64_t tag)
{
    return &l->buckets[(uint32_t)(tag * 0x9e3779b97f4a7c15 >> 40) & l->bucket_mask];
}

/* The entry with this tag, or LRU_NONE. A tag belongs to one set only. */
static inline uint32_t lru_find(const struct lru *l, uint64_t tag)
{
    uint32_t entry = *lru_bucket(l, tag);
    while (entry != LRU_NONE && l->nodes[entry].tag != tag)
        entry = l->nodes[entry].next;
    return entry;
}

/* Moves an entry in its set behind another one, or behind the head. */
static inline void lru_move(struct lru *l, uint32_t entry, uint32_t newer)
{
    struct lru_node *n = l->nodes, *e = &n[entry];
    n[e->newer].older = e->older;
    n[e->older].newer = e->newer;
    e->newer = newer;
    e->older = n[newer].older;
    n[e->older].newer = entry;
    n[newer].older = entry;
}

/* The entry becomes the newest of its set. */
static inline void lru_use(struct lru *l, uint32_t entry, uint32_t set)
{
    lru_move(l, entry, l->entries + set);
}

/* Takes an entry out of its bucket. */
static inline void lru_unlink(struct lru *l, uint32_t entry)
{
    uint32_t *link = lru_bucket(l, l->nodes[entry].tag);
    while (*link != entry)
        link = &l->nodes[*link].next;
    *link = l->nodes[entry].next;
}

/* Puts a tag that is not held (not 0) in place of the oldest of its set; returns that one, or 0. */
static inline uint64_t lru_fill(struct lru *l, uint64_t tag, uint32_t set)
{
    uint32_t entry = l->nodes[l->entries + set].newer, *bucket = lru_bucket(l, tag);
    struct lru_node *e = &l->nodes[entry];
    uint64_t victim = e->tag;
    if (victim != 0)
        lru_unlink(l, entry);
    e->tag = tag;
    e->next = *bucket;
    *bucket = entry;
    lru_use(l, entry, set);
    return victim;
}

/* Empties an entry; it is the next to be filled. */
static inline void lru_drop(struct lru *l, uint32_t entry, uint32_t set)
{
    uint32_t oldest = l->nodes[l->entries + set].newer;
    lru_unlink(l, entry);
    l->nodes[entry].tag = 0;
    if (entry != oldest)
        lru_move(l, entry, oldest);
}

#endif
