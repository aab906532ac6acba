/* tag_array.h: one set-associative tag array over numbers that are not known beforehand, as a trace
 * has them. It begins empty. (simulate/assoc.h is the one for keys that are known, which begins in
 * the steady state.) Each access of a trace passes here: so all is inlined. */
#ifndef TLBLAB_TLBS_TAG_ARRAY_H
#define TLBLAB_TLBS_TAG_ARRAY_H

#include "base/random.h"
#include "tlb/simulate/assoc.h"
#include "tlb/simulate/replace.h"
#include "trace/tlbs/lru.h"
#include <stddef.h>

/* A tag names an entry and is not 0: its number, which selects the set, and its kind of page. The
 * few ways of a set are looked at all at once, by vectors; many are found by a hash, where the
 * replacement is LRU or FIFO. */
struct tag_array {
    struct assoc_shape shape;
    bool is_masked; /* the set is number & mask; else `sets` says, or assoc_set() */
    uint64_t mask;  /* the bits of a number that select the set */
    uint16_t *sets; /* INDEX_BITS: which bits of the set a value of each byte changes */
    enum tag_array_kind { TAG_ARRAY_LISTED, TAG_ARRAY_TIMED, TAG_ARRAY_OTHER } kind;
    struct lru lru; /* LISTED: LRU or FIFO, many ways */
    uint64_t *tags; /* TIMED, OTHER: sets × ways; 0 is an empty way */
    uint64_t time;  /* TIMED: LRU or FIFO, few ways; uses or fills so far */
    int64_t *uses; /* TIMED: sets × ways; time of the last use << WAY_BITS | way; 0 << …: empty */
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

/* For functions that search: their vectors are as wide as the processor's. One version for each
 * width takes glibc's dynamic linker, and a compiler that knows x86-64-v4. */
#if defined(__x86_64__) && defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) &&                 \
    !defined(__clang__) && __GNUC__ >= 12
#define WIDE_AS_POSSIBLE __attribute__((target_clones("arch=x86-64-v4", "avx2", "default")))
#define ALWAYS_INLINE    static inline __attribute__((always_inline))
#else
#define WIDE_AS_POSSIBLE
#define ALWAYS_INLINE static inline
#endif

/* Ways that are looked at at once: many, then few. [bound] */
enum { TAGS_MANY = 24, TAGS_FEW = 4 };

/* How many of `count` tags there are from the first that is this one on; 0: none is. Without
 * branches and in one type, so that the compiler compares vectors. */
ALWAYS_INLINE int64_t tag_array_from(const uint64_t *tags, int64_t count, uint64_t tag)
{
    int64_t most = 0;
    for (int64_t i = 0; i < count; i++) {
        int64_t from = tags[i] == tag ? count - i : 0;
        most = from > most ? from : most;
    }
    return most;
}

/* The first way of a tag among `count`, or `count`. */
ALWAYS_INLINE uint64_t tag_array_find(const uint64_t *tags, uint64_t count, uint64_t tag)
{
    uint64_t at = 0;
    int64_t from;
    for (; at + TAGS_MANY <= count; at += TAGS_MANY)
        if ((from = tag_array_from(tags + at, TAGS_MANY, tag)) > 0)
            return at + (uint64_t)(TAGS_MANY - from);
    for (; at + TAGS_FEW <= count; at += TAGS_FEW)
        if ((from = tag_array_from(tags + at, TAGS_FEW, tag)) > 0)
            return at + (uint64_t)(TAGS_FEW - from);
    while (at < count && tags[at] != tag)
        at++;
    return at;
}

ALWAYS_INLINE int64_t tag_array_less(const int64_t *uses, int count, int64_t least)
{
    for (int i = 0; i < count; i++)
        least = uses[i] < least ? uses[i] : least;
    return least;
}

/* The way that was used first, of which the empty ones are the first. */
ALWAYS_INLINE uint64_t tag_array_oldest(const int64_t *uses, uint64_t count)
{
    uint64_t at = 0;
    int64_t least = INT64_MAX;
    for (; at + TAGS_MANY <= count; at += TAGS_MANY)
        least = tag_array_less(uses + at, TAGS_MANY, least);
    for (; at + TAGS_FEW <= count; at += TAGS_FEW)
        least = tag_array_less(uses + at, TAGS_FEW, least);
    for (; at < count; at++)
        least = tag_array_less(uses + at, 1, least);
    return (uint64_t)least & WAY_MASK;
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
        s->uses[set * s->shape.ways + way] = (int64_t)(++s->time << WAY_BITS | way);
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
    uint64_t way = tag_array_find(s->tags + set * ways, ways, tag);
    if (way < ways)
        tag_array_use(s, set, way, false);
    return way < ways;
}

/* The way of a set that is filled next. */
ALWAYS_INLINE uint64_t tag_array_victim(struct tag_array *s, uint64_t set)
{
    uint64_t ways = s->shape.ways, way;
    if (s->kind == TAG_ARRAY_TIMED)
        return tag_array_oldest(s->uses + set * ways, ways);
    if ((way = tag_array_find(s->tags + set * ways, ways, 0)) < ways)
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
    uint64_t way = tag_array_victim(s, set), *at = &s->tags[set * s->shape.ways + way];
    uint64_t victim = *at;
    *at = tag;
    tag_array_use(s, set, way, true);
    return victim;
}

/* Invalidates a tag, if it is held. */
void tag_array_drop(struct tag_array *array, uint64_t number, uint64_t tag);

#endif
