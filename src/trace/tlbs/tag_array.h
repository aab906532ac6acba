/* tag_array.h: one set-associative tag array over numbers that are not known beforehand, as a trace
 * has them. It begins empty. (simulate/assoc.h is the one for keys that are known, which begins in
 * the steady state.) Each access of a trace passes here: so all is inlined. */
#ifndef TLBLAB_TLBS_TAG_ARRAY_H
#define TLBLAB_TLBS_TAG_ARRAY_H

#include "base/random.h"
#include "tlb/simulate/assoc.h"
#include "trace/tlbs/lru.h"
#include <stddef.h>
#include <string.h>

/* A tag names an entry and is not 0: its number, which selects the set, and its kind of page. The
 * few ways of a set are looked at all at once, by vectors; many are found by a hash, where the
 * replacement is LRU or FIFO. */
struct tag_array {
    struct assoc_shape shape;
    bool is_masked; /* the set is number & mask; else `sets` says, or assoc_set() */
    uint64_t mask;  /* the bits of a number that select the set */
    uint16_t *sets; /* INDEX_BITS: which bits of the set a value of each byte changes */
    enum tag_array_kind { TAG_ARRAY_LISTED, TAG_ARRAY_TIMED, TAG_ARRAY_OTHER } kind;
    struct lru lru;  /* LISTED: LRU or FIFO, many ways */
    uint32_t row;    /* TIMED, OTHER: ways that a set has room for: whole LANES */
    int64_t *tags;   /* sets × row; 0 is an empty way */
    uint64_t time;   /* TIMED: LRU or FIFO, few ways; uses or fills so far */
    int64_t *uses;   /* sets × row; time of the last use << WAY_BITS | way; 0 << …: empty */
    uint8_t *states; /* PLRU, NRU, SRRIP: sets × leaves */
    uint32_t leaves;
    struct random random;
};

/* The most ways of a TIMED set, and the bits of `uses` that hold a way: 57 are left for the time.
 * [bound] */
enum { WAYS_TIMED = 32, WAY_BITS = 6, WAY_MASK = (1 << WAY_BITS) - 1 };

void tag_array_open(struct tag_array *array, const struct assoc_shape *shape, uint64_t seed);
void tag_array_close(struct tag_array *array);

/* ---- search ---- */

/* For functions that search: glibc's dynamic linker takes the version that fits the processor. */
#if defined(__x86_64__) && defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) &&                 \
    !defined(__clang__)
#define WIDE_AS_POSSIBLE __attribute__((target_clones("avx2", "default")))
#define ALWAYS_INLINE    static inline __attribute__((always_inline))
#else
#define WIDE_AS_POSSIBLE
#define ALWAYS_INLINE static inline
#endif

/* Ways that are looked at in one step. [bound] */
enum { LANES = 4 };
typedef int64_t lanes __attribute__((vector_size(LANES * sizeof(int64_t))));

/* Puts into each lane the smaller of two numbers, of the second ones only where `mask` is -1. */
ALWAYS_INLINE void lanes_keep_less(lanes *least, const lanes *other, const lanes *mask)
{
    lanes replaces = (*other < *least) & *mask;
    *least = (*other & replaces) | (*least & ~replaces);
}

ALWAYS_INLINE uint64_t lanes_least(const lanes *of)
{
    int64_t even = (*of)[0] < (*of)[2] ? (*of)[0] : (*of)[2];
    int64_t odd = (*of)[1] < (*of)[3] ? (*of)[1] : (*of)[3];
    return (uint64_t)(even < odd ? even : odd);
}

/* The first way of a set that holds a tag; a way that the set does not have where none does. */
ALWAYS_INLINE uint64_t tag_array_find(const struct tag_array *s, uint64_t set, uint64_t tag)
{
    const int64_t *tags = s->tags + set * s->row;
    lanes first = {INT64_MAX, INT64_MAX, INT64_MAX, INT64_MAX}, ways = {0, 1, 2, 3}, here;
    for (uint32_t at = 0; at < s->row; at += LANES, ways += LANES) {
        memcpy(&here, tags + at, sizeof here);
        here = here == (int64_t)tag;
        lanes_keep_less(&first, &ways, &here);
    }
    return lanes_least(&first);
}

/* The way of a set that was used first, of which the empty ones are the first. */
ALWAYS_INLINE uint64_t tag_array_oldest(const struct tag_array *s, uint64_t set)
{
    const int64_t *uses = s->uses + set * s->row;
    lanes least = {INT64_MAX, INT64_MAX, INT64_MAX, INT64_MAX}, all = {-1, -1, -1, -1}, here;
    for (uint32_t at = 0; at < s->row; at += LANES) {
        memcpy(&here, uses + at, sizeof here);
        lanes_keep_less(&least, &here, &all);
    }
    return lanes_least(&least) & WAY_MASK;
}

/* ---- use ---- */

ALWAYS_INLINE uint64_t tag_array_set(const struct tag_array *s, uint64_t number)
{
    uint64_t set = 0;
    if (s->is_masked)
        return number & s->mask;
    if (s->sets == NULL)
        return assoc_set(&s->shape, number);
    number &= s->mask;
    for (const uint16_t *of_byte = s->sets; number != 0; of_byte += 256, number >>= 8)
        set ^= of_byte[number & 255];
    return set;
}

ALWAYS_INLINE uint8_t *tag_array_state(const struct tag_array *s, uint64_t set)
{
    return s->states != NULL ? s->states + set * s->leaves : NULL;
}

ALWAYS_INLINE void tag_array_use(struct tag_array *s, uint64_t set, uint64_t way, bool fills)
{
    if (s->states != NULL)
        replace_use(&s->shape, tag_array_state(s, set), (uint32_t)way, fills);
    else if (s->kind == TAG_ARRAY_TIMED && (fills || s->shape.replacement == REPLACE_LRU))
        s->uses[set * s->row + way] = (int64_t)(++s->time << WAY_BITS | way);
}

/* Whether the array holds the tag; a hit counts as a use. */
ALWAYS_INLINE bool tag_array_hit(struct tag_array *s, uint64_t number, uint64_t tag)
{
    uint64_t set = tag_array_set(s, number), ways = s->shape.ways;
    if (s->kind == TAG_ARRAY_LISTED) {
        uint32_t entry = lru_find(&s->lru, tag);
        if (entry != LRU_NONE && s->shape.replacement == REPLACE_LRU)
            lru_use(&s->lru, entry, (uint32_t)set);
        return entry != LRU_NONE;
    }
    uint64_t way = tag_array_find(s, set, tag);
    if (way < ways)
        tag_array_use(s, set, way, false);
    return way < ways;
}

/* The way of a set that is filled next. */
ALWAYS_INLINE uint64_t tag_array_victim(struct tag_array *s, uint64_t set)
{
    uint64_t ways = s->shape.ways, way;
    if (s->kind == TAG_ARRAY_TIMED)
        return tag_array_oldest(s, set);
    if ((way = tag_array_find(s, set, 0)) < ways)
        return way;
    return s->states != NULL ? replace_victim(&s->shape, tag_array_state(s, set))
                             : random_below(&s->random, ways);
}

/* Inserts a tag that is not held; returns the tag that it replaces, or 0. */
ALWAYS_INLINE uint64_t tag_array_fill(struct tag_array *s, uint64_t number, uint64_t tag)
{
    uint64_t set = tag_array_set(s, number);
    if (s->kind == TAG_ARRAY_LISTED)
        return lru_fill(&s->lru, tag, (uint32_t)set);
    uint64_t way = tag_array_victim(s, set);
    int64_t *at = &s->tags[set * s->row + way];
    uint64_t victim = (uint64_t)*at;
    *at = (int64_t)tag;
    tag_array_use(s, set, way, true);
    return victim;
}

/* Invalidates a tag, if it is held. */
void tag_array_drop(struct tag_array *array, uint64_t number, uint64_t tag);

#endif
