/* structure.c: one set-associative structure over numbers that are not known beforehand.
 *
 *     structure_open(&dtlb, &shape, seed);
 *     if (!structure_hit(&dtlb, page, tag))
 *         structure_fill(&dtlb, page, tag);
 */
#include "trace/structure.h"
#include "base/error.h"
#include "simulate/replace.h"
#include <stdlib.h>

void structure_open(struct structure *s, const struct assoc_shape *shape, uint64_t seed)
{
    uint64_t sets = shape->entries / shape->ways;
    *s = (struct structure){.shape = *shape, .leaves = replace_leaves(shape)};
    s->ordered = shape->replacement == REPLACE_LRU || shape->replacement == REPLACE_FIFO;
    if (shape->index == INDEX_LINEAR && (sets & (sets - 1)) == 0)
        s->mask = sets - 1;
    if (s->ordered) {
        uint32_t entries = (uint32_t)shape->entries;
        void *memory = allocate(lru_bytes(entries, (uint32_t)sets), 1);
        lru_open(&s->lru, entries, (uint32_t)sets, memory);
    } else
        s->tags = allocate(shape->entries, sizeof *s->tags);
    if (!s->ordered && shape->replacement != REPLACE_RANDOM)
        s->states = allocate(sets, s->leaves);
    random_seed(&s->random, seed, 0);
}

void structure_close(struct structure *s)
{
    free(s->lru.nodes);
    free(s->tags);
    free(s->states);
}

/* ---- search ---- */

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__SANITIZE_ADDRESS__)
#define WIDE_AS_POSSIBLE __attribute__((target_clones("arch=x86-64-v4", "avx2", "default")))
#else
#define WIDE_AS_POSSIBLE
#endif

/* Tags that are compared at once: many, then few. [bound] */
enum { MANY = 24, FEW = 4 };

/* Whether one of `count` tags is this one. Without branches, so that the compiler compares vectors.
 */
static inline __attribute__((always_inline)) bool any_of(const uint64_t *tags, int count,
                                                         uint64_t tag)
{
    uint64_t found = 0;
    for (int i = 0; i < count; i++)
        found |= tags[i] == tag ? UINT64_MAX : 0;
    return found != 0;
}

/* The place of a tag among `count`, or `count`. */
WIDE_AS_POSSIBLE
static uint64_t find_tag(const uint64_t *tags, uint64_t count, uint64_t tag)
{
    uint64_t at = 0;
    while (at + MANY <= count && !any_of(tags + at, MANY, tag))
        at += MANY;
    while (at + FEW <= count && !any_of(tags + at, FEW, tag))
        at += FEW;
    while (at < count && tags[at] != tag)
        at++;
    return at;
}

/* ---- ways in their places ---- */

static uint8_t *state_of(const struct structure *s, uint64_t set)
{
    return s->states != NULL ? s->states + set * s->leaves : NULL;
}

static bool hit_placed(struct structure *s, uint64_t set, uint64_t tag)
{
    uint64_t way = find_tag(s->tags + set * s->shape.ways, s->shape.ways, tag);
    if (way < s->shape.ways && s->states != NULL)
        replace_use(&s->shape, state_of(s, set), (uint32_t)way, false);
    return way < s->shape.ways;
}

static uint64_t fill_placed(struct structure *s, uint64_t set, uint64_t tag)
{
    uint64_t ways = s->shape.ways, *tags = s->tags + set * ways, victim = 0;
    uint64_t way = find_tag(tags, ways, 0);
    uint8_t *state = state_of(s, set);
    if (way == ways) {
        way = state != NULL ? replace_victim(&s->shape, state) : random_below(&s->random, ways);
        victim = tags[way];
    }
    tags[way] = tag;
    if (state != NULL)
        replace_use(&s->shape, state, (uint32_t)way, true);
    return victim;
}

static void drop_placed(struct structure *s, uint64_t set, uint64_t tag)
{
    uint64_t ways = s->shape.ways, *tags = s->tags + set * ways, way = find_tag(tags, ways, tag);
    if (way < ways)
        tags[way] = 0;
}

/* ---- all ---- */

static inline uint64_t set_of(const struct structure *s, uint64_t number)
{
    return s->mask != 0 ? number & s->mask : assoc_set(&s->shape, number);
}

bool structure_hit(struct structure *s, uint64_t number, uint64_t tag)
{
    if (!s->ordered)
        return hit_placed(s, set_of(s, number), tag);
    uint32_t entry = lru_find(&s->lru, tag);
    if (entry != LRU_NONE && s->shape.replacement == REPLACE_LRU)
        lru_use(&s->lru, entry, (uint32_t)set_of(s, number));
    return entry != LRU_NONE;
}

uint64_t structure_fill(struct structure *s, uint64_t number, uint64_t tag)
{
    uint64_t set = set_of(s, number);
    return s->ordered ? lru_fill(&s->lru, tag, (uint32_t)set) : fill_placed(s, set, tag);
}

void structure_drop(struct structure *s, uint64_t number, uint64_t tag)
{
    uint64_t set = set_of(s, number);
    uint32_t entry = s->ordered ? lru_find(&s->lru, tag) : LRU_NONE;
    if (!s->ordered)
        drop_placed(s, set, tag);
    else if (entry != LRU_NONE)
        lru_drop(&s->lru, entry, (uint32_t)set);
}
