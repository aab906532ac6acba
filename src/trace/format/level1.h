/* level1.h: level 1 of a thread's TLB, as a traced program keeps it (src/trace/runtime/):
 * LRU, exact, though it learns of the accesses later, a number of visits at a time.
 *
 * A visit is what a place in the program does in one page. It begins with the first access there,
 * and the program notes the number of its last one; those in between are not noted. That is enough:
 * the visits under way in a set are fewer than its ways, so the oldest page, which makes room, is
 * not among them, and the last access to any other page is known. To keep them fewer,
 * level1_begin() ends the visits to a set when as many have begun as it has ways. */
#ifndef TLBLAB_FORMAT_LEVEL1_H
#define TLBLAB_FORMAT_LEVEL1_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The address of a page, that of an access to it, and the number of the last one. Numbers grow. */
struct page_use {
    uint64_t page, address, last;
};

/* No page has this address, since those of pages end in bits of 0. */
#define PAGE_NONE UINT64_MAX

/* [bound] visits until level 1 learns of them */
enum { VISITS = 64 };

struct visit {
    struct page_use use; /* of another page, or PAGE_NONE, when it has ended */
    uint64_t unused;
    uint64_t begun; /* the first access (ring.h); 0: there is no visit */
    uint64_t site;
};

/* The entries of a set are a ring: behind the newest comes the oldest. They are in the order of
 * `listed`, the first access of the last visit, or `last`; the page has been accessed since then
 * where the two differ. So who knows the entry of a page need only write `last`, as in a page_use.
 * Links are distances from the first entry, in bytes. */
struct level1_entry {
    uint64_t page, listed, last;
    uint32_t older, newer;
    uint32_t next; /* in its bucket */
    uint32_t bucket;
};

_Static_assert(offsetof(struct level1_entry, page) == offsetof(struct page_use, page) &&
                   offsetof(struct level1_entry, last) == offsetof(struct page_use, last),
               "an entry begins as a page_use");

/* [bound] entries; LEVEL1_NONE: the distance of none */
#define LEVEL1_MAX  (1 << 20)
#define LEVEL1_NONE UINT32_MAX

struct level1 {
    struct level1_entry *entries;
    uint32_t *oldest; /* of each set */
    uint32_t *buckets;
    uint8_t *begun;  /* visits of each set under way; NULL: a set has ways for all */
    uint8_t *visits; /* sets × ways: their places */
    uint32_t count, sets, ways, bucket_mask;
    uint32_t shift; /* the page is the address above it */
};

/* A power of two, large enough that most entries have a bucket to themselves. */
static inline uint32_t level1_buckets(uint32_t entries)
{
    uint32_t buckets = 16;
    while (buckets < 8 * entries)
        buckets *= 2;
    return buckets;
}

/* The bytes that level1_open() takes. */
static inline size_t level1_bytes(uint32_t entries, uint32_t sets)
{
    return entries * (sizeof(struct level1_entry) + 1) + sets +
           ((size_t)sets + level1_buckets(entries)) * sizeof(uint32_t);
}

/* An empty level in level1_bytes() of memory, which stays the caller's. `entries` is at most
 * LEVEL1_MAX and a multiple of `sets`, a power of two. */
static inline void level1_open(struct level1 *f, uint32_t entries, uint32_t sets, uint32_t shift,
                               void *memory)
{
    *f = (struct level1){
        .entries = memory, .count = entries, .sets = sets, .ways = entries / sets, .shift = shift};
    f->oldest = (uint32_t *)(void *)(f->entries + entries);
    f->buckets = f->oldest + sets;
    f->bucket_mask = level1_buckets(entries) - 1;
    f->visits = (uint8_t *)(f->buckets + f->bucket_mask + 1);
    f->begun = f->ways < VISITS ? f->visits + entries : NULL;
    for (uint32_t i = 0; i <= f->bucket_mask; i++)
        f->buckets[i] = LEVEL1_NONE;
    for (uint32_t i = 0; i < entries; i++) {
        uint32_t newer = i + sets < entries ? i + sets : i + sets - entries;
        uint32_t older = i >= sets ? i - sets : entries - sets + i;
        f->entries[i] = (struct level1_entry){.page = PAGE_NONE,
                                              .older = older * (uint32_t)sizeof *f->entries,
                                              .newer = newer * (uint32_t)sizeof *f->entries,
                                              .next = LEVEL1_NONE};
    }
    for (uint32_t set = 0; set < sets; set++) {
        f->oldest[set] = set * (uint32_t)sizeof *f->entries;
        f->visits[entries + set] = 0;
    }
}

static inline struct level1_entry *level1_at(const struct level1 *f, uint32_t distance)
{
    return (struct level1_entry *)(void *)((char *)f->entries + distance);
}

static inline uint32_t level1_set(const struct level1 *f, uint64_t page)
{
    return (uint32_t)(page >> f->shift) & (f->sets - 1);
}

/* A visit to the page begins at place `k` of `visits`, where f->begun is not NULL. */
static inline void level1_begin(struct level1 *f, struct visit visits[VISITS], unsigned k,
                                uint64_t page)
{
    uint32_t set = level1_set(f, page);
    uint8_t *under_way = f->visits + set * f->ways;
    if (f->begun[set] == f->ways) {
        for (uint32_t i = 0; i < f->ways; i++)
            visits[under_way[i]].use.page = PAGE_NONE;
        f->begun[set] = 0;
    }
    under_way[f->begun[set]++] = (uint8_t)k;
}

/* All visits have ended. */
static inline void level1_end_all(struct level1 *f)
{
    for (uint32_t set = 0; f->begun != NULL && set < f->sets; set++)
        f->begun[set] = 0;
}

/* An entry leaves its place for that behind the newest one of its set. */
static inline void level1_renew(struct level1 *f, uint32_t set, uint32_t at)
{
    struct level1_entry *e = level1_at(f, at);
    uint32_t oldest = f->oldest[set];
    if (at == oldest)
        f->oldest[set] = e->newer;
    else if (e->newer != oldest) {
        struct level1_entry *behind = level1_at(f, oldest);
        level1_at(f, e->older)->newer = e->newer;
        level1_at(f, e->newer)->older = e->older;
        e->older = behind->older;
        e->newer = oldest;
        level1_at(f, e->older)->newer = at;
        behind->older = at;
    }
}

/* The oldest of a set, which has been accessed since it was listed, goes to its place in the order:
 * from both ends the search goes on towards it, since most are near one of them. Where its last
 * access comes after `now`, it is the newest until it is the oldest again. */
static inline void level1_list(struct level1 *f, uint32_t set, uint64_t now)
{
    uint32_t at = f->oldest[set];
    struct level1_entry *e = level1_at(f, at), *old = level1_at(f, e->newer);
    struct level1_entry *young = level1_at(f, e->older);
    e->listed = e->last < now ? e->last : now;
    if (old == e || old->listed > e->listed)
        return;
    f->oldest[set] = e->newer;
    if (young->listed <= e->listed)
        return; /* the newest: the ring stays as it is */
    old->older = e->older;
    young->newer = e->newer;
    do {
        old = level1_at(f, old->newer);
        young = level1_at(f, young->older);
    } while (old->listed < e->listed && young->listed > e->listed);
    if (old->listed >= e->listed)
        young = level1_at(f, old->older);
    e->newer = young->newer;
    e->older = level1_at(f, e->newer)->older;
    young->newer = level1_at(f, e->newer)->older = at;
}

/* The entry of a set whose last access is longest ago, which is the newest one now. */
static inline uint32_t level1_take_oldest(struct level1 *f, uint32_t set, uint64_t now)
{
    uint32_t at = f->oldest[set];
    const struct level1_entry *e = level1_at(f, at);
    while (e->last != e->listed && e->listed != now) {
        level1_list(f, set, now);
        at = f->oldest[set];
        e = level1_at(f, at);
    }
    f->oldest[set] = e->newer;
    return at;
}

static inline uint32_t level1_bucket(const struct level1 *f, uint64_t page)
{
    return (uint32_t)(page * 0x9e3779b97f4a7c15 >> 40) & f->bucket_mask;
}

/* The distance of a page's entry, or LEVEL1_NONE. */
static inline uint32_t level1_find(const struct level1 *f, uint64_t page)
{
    uint32_t at = f->buckets[level1_bucket(f, page)];
    while (at != LEVEL1_NONE && level1_at(f, at)->page != page)
        at = level1_at(f, at)->next;
    return at;
}

/* A visit to a page, with the numbers of its first access and its last one, after all visits that
 * have begun before. Returns whether the page is missed, and takes the place of another one. Its
 * entry goes to `found`. */
static inline bool level1_visit(struct level1 *f, uint64_t page, uint64_t first, uint64_t last,
                                struct level1_entry **found)
{
    uint32_t set = level1_set(f, page), at = level1_find(f, page);
    struct level1_entry *e = *found = level1_at(f, at);
    if (at != LEVEL1_NONE) {
        e->last = last > e->last ? last : e->last;
        e->listed = first;
        level1_renew(f, set, at);
        return false;
    }
    at = level1_take_oldest(f, set, first);
    e = *found = level1_at(f, at);
    if (e->page != PAGE_NONE) {
        uint32_t *link = &f->buckets[e->bucket];
        while (*link != at)
            link = &level1_at(f, *link)->next;
        *link = e->next;
    }
    e->page = page;
    e->last = last;
    e->listed = first;
    e->bucket = level1_bucket(f, page);
    e->next = f->buckets[e->bucket];
    f->buckets[e->bucket] = at;
    return true;
}

#endif
