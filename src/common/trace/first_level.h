/* first_level.h: level 1 of a thread's TLB, as a traced program has it (src/runtime/): LRU, exact,
 * with hits that only note the number of the access in the entry. The order of the entries is
 * brought up to date at a miss. */
#ifndef TLBLAB_TRACE_FIRST_LEVEL_H
#define TLBLAB_TRACE_FIRST_LEVEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The address of a page, and the number of the last access to it. Numbers grow. */
struct page_use {
    uint64_t page, last;
};

/* No page has this address, since those of pages end in bits of 0. */
#define PAGE_NONE UINT64_MAX

/* The entries of a set are a ring: behind the newest comes the oldest. They are in the order of
 * `listed`, the last access when the entry took its place there; it has been accessed since then
 * where that differs from `use.last`. */
struct first_entry {
    struct page_use use;
    uint64_t listed;
    uint16_t older, newer;
    uint16_t next; /* in its bucket */
};

/* [bound] entries, whose numbers are below FIRST_NONE: no entry */
enum { FIRST_NONE = UINT16_MAX, FIRST_MOST = 1 << 14 };

struct first_level {
    struct first_entry *entries;
    uint16_t *oldest; /* of each set */
    uint16_t *buckets;
    uint32_t count, sets, bucket_mask, shift; /* entries; the page is the address above the shift */
};

/* A power of two: so many that an entry mostly has one alone. */
static inline uint32_t first_buckets(uint32_t entries)
{
    uint32_t buckets = 16;
    while (buckets < 16 * entries)
        buckets *= 2;
    return buckets;
}

/* The bytes that first_open() takes. */
static inline size_t first_bytes(uint32_t entries, uint32_t sets)
{
    return entries * sizeof(struct first_entry) +
           ((size_t)sets + first_buckets(entries)) * sizeof(uint16_t);
}

/* An empty level in first_bytes() of memory, which stays the caller's. `entries` is at most
 * FIRST_MOST and a multiple of `sets`, a power of two. */
static inline void first_open(struct first_level *f, uint32_t entries, uint32_t sets,
                              uint32_t shift, void *memory)
{
    *f = (struct first_level){.entries = memory, .count = entries, .sets = sets, .shift = shift};
    f->oldest = (uint16_t *)(void *)(f->entries + entries);
    f->buckets = f->oldest + sets;
    f->bucket_mask = first_buckets(entries) - 1;
    for (uint32_t i = 0; i <= f->bucket_mask; i++)
        f->buckets[i] = FIRST_NONE;
    for (uint32_t i = 0; i < entries; i++) {
        uint32_t newer = i + sets < entries ? i + sets : i + sets - entries;
        uint32_t older = i >= sets ? i - sets : entries - sets + i;
        f->entries[i] = (struct first_entry){.use = {PAGE_NONE, 0},
                                             .older = (uint16_t)older,
                                             .newer = (uint16_t)newer,
                                             .next = FIRST_NONE};
    }
    for (uint32_t set = 0; set < sets; set++)
        f->oldest[set] = (uint16_t)set;
}

static inline uint16_t *first_bucket(const struct first_level *f, uint64_t page)
{
    return &f->buckets[page * 0x9e3779b97f4a7c15 >> 40 & f->bucket_mask];
}

/* The entry with this page; NULL where there is none. */
static inline struct first_entry *first_find(const struct first_level *f, uint64_t page)
{
    uint16_t at = *first_bucket(f, page);
    while (at != FIRST_NONE && f->entries[at].use.page != page)
        at = f->entries[at].next;
    return at != FIRST_NONE ? &f->entries[at] : NULL;
}

/* The oldest of a set, which has been accessed, goes to its place in the order: from both ends the
 * search goes on towards it, since most are near one of them. */
static inline void first_list(struct first_level *f, uint32_t set)
{
    struct first_entry *n = f->entries;
    uint16_t at = f->oldest[set], old = n[at].newer, new = n[at].older;
    struct first_entry *e = &n[at];
    e->listed = e->use.last;
    if (old == at || n[old].listed > e->listed)
        return;
    f->oldest[set] = old;
    if (n[new].listed < e->listed)
        return; /* the newest: the ring stays as it is */
    n[old].older = new;
    n[new].newer = old;
    do {
        old = n[old].newer;
        new = n[new].older;
    } while (n[old].listed < e->listed && n[new].listed > e->listed);
    if (n[old].listed >= e->listed)
        new = n[old].older;
    e->older = new;
    e->newer = n[new].newer;
    n[e->newer].older = n[new].newer = at;
}

/* Puts a page that is not held in place of the one of its set whose last access is longest ago. */
static inline struct first_entry *first_fill(struct first_level *f, uint64_t page, uint64_t number)
{
    uint32_t set = (uint32_t)(page >> f->shift) & (f->sets - 1);
    struct first_entry *e = &f->entries[f->oldest[set]];
    while (e->use.last != e->listed) {
        first_list(f, set);
        e = &f->entries[f->oldest[set]];
    }
    uint16_t at = f->oldest[set], *link, *bucket = first_bucket(f, page);
    if (e->use.page != PAGE_NONE) {
        for (link = first_bucket(f, e->use.page); *link != at;)
            link = &f->entries[*link].next;
        *link = e->next;
    }
    f->oldest[set] = e->newer; /* so it is the newest now */
    e->use = (struct page_use){page, number};
    e->listed = number;
    e->next = *bucket;
    *bucket = at;
    return e;
}

/* As first_fill(), in fewer instructions, where nothing stands in the way: the page's bucket is
 * empty, the oldest entry has not been accessed since it was listed, and it is the first in its
 * bucket. Else NULL. */
static inline struct first_entry *first_fill_plainly(struct first_level *f, uint16_t *bucket,
                                                     uint64_t page, uint64_t number)
{
    uint32_t set = (uint32_t)(page >> f->shift) & (f->sets - 1);
    uint16_t at = f->oldest[set];
    struct first_entry *e = &f->entries[at];
    uint16_t *old = first_bucket(f, e->use.page);
    if (*bucket != FIRST_NONE || e->use.last != e->listed || *old != at)
        return NULL;
    *old = e->next;
    f->oldest[set] = e->newer;
    e->use = (struct page_use){page, number};
    e->listed = number;
    e->next = FIRST_NONE;
    *bucket = at;
    return e;
}

#endif
