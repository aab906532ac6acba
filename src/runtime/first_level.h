/* first_level.h: level 1 of a thread's TLB (ring.h), which the program itself simulates, so that
 * it writes only the accesses that miss it. */
#include "trace/ring.h"
#include <stdbool.h>

static inline uint16_t *first_bucket(struct ring_first *f, uint64_t page)
{
    return &f->bucket[(page ^ page >> 10) % FIRST_BUCKETS];
}

static inline void first_level_open(struct ring_first *f, uint32_t entries, uint32_t sets)
{
    for (uint32_t i = 0; i < FIRST_BUCKETS; i++)
        f->bucket[i] = FIRST_NONE;
    for (uint32_t set = 0; set < sets; set++) {
        uint32_t last = entries + set;
        for (uint32_t way = 0; way < entries / sets; way++) {
            uint32_t entry = set + way * sets;
            f->page[entry] = 0;
            f->newer[entry] = (uint16_t)last;
            f->older[last] = (uint16_t)entry;
            last = entry;
        }
        f->older[last] = (uint16_t)(entries + set);
        f->newer[entries + set] = (uint16_t)last;
    }
}

/* The entry becomes the newest of its set. */
static inline void first_level_use(struct ring_first *f, uint32_t entry, uint32_t set)
{
    uint16_t newer = f->newer[entry], older = f->older[entry], newest;
    f->older[newer] = older;
    f->newer[older] = newer;
    newest = f->older[set];
    f->older[set] = (uint16_t)entry;
    f->newer[entry] = (uint16_t)set;
    f->older[entry] = newest;
    f->newer[newest] = (uint16_t)entry;
}

/* The entry no longer holds its page. */
static inline void first_level_forget(struct ring_first *f, uint32_t entry)
{
    if (f->page[entry] == 0)
        return;
    uint16_t *link = first_bucket(f, f->page[entry] - 1);
    while (*link != entry)
        link = &f->next[*link];
    *link = f->next[entry];
}

/* Whether the access misses; the page then takes the place of the oldest one of its set. */
static inline bool first_level_misses(struct ring_first *f, const struct ring_head *head,
                                      uint64_t address)
{
    uint64_t page = address >> head->first_shift;
    uint32_t set = head->first_entries + (uint32_t)(page & (head->first_sets - 1));
    uint16_t *bucket = first_bucket(f, page);
    uint32_t entry = *bucket;
    while (entry != FIRST_NONE && f->page[entry] != page + 1)
        entry = f->next[entry];
    bool missed = entry == FIRST_NONE;
    if (missed) {
        entry = f->newer[set];
        first_level_forget(f, entry);
        f->page[entry] = page + 1;
        f->next[entry] = *bucket;
        *bucket = (uint16_t)entry;
    }
    first_level_use(f, entry, set);
    return missed;
}
