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
#include <string.h>

/* [bound] how far a window slides before it is moved back; less where there are many sets */
enum { SLIDE = 64, SETS_FEW = 1024 };

void structure_open(struct structure *s, const struct assoc_shape *shape, uint64_t seed)
{
    uint64_t sets = shape->entries / shape->ways;
    *s = (struct structure){.shape = *shape, .strip = shape->ways, .leaves = replace_leaves(shape)};
    s->ordered = shape->replacement == REPLACE_LRU || shape->replacement == REPLACE_FIFO;
    if (s->ordered) {
        s->strip += sets > SETS_FEW ? shape->ways : SLIDE;
        s->window = allocate(sets, sizeof *s->window);
    }
    s->tags = allocate(sets, s->strip * sizeof *s->tags);
    if (!s->ordered && shape->replacement != REPLACE_RANDOM)
        s->states = allocate(sets, s->leaves);
    random_seed(&s->random, seed, 0);
}

void structure_close(struct structure *s)
{
    free(s->tags);
    free(s->window);
    free(s->states);
}

/* ---- search ---- */

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__SANITIZE_ADDRESS__)
#define WIDE_AS_POSSIBLE __attribute__((target_clones("arch=x86-64-v4", "avx2", "default")))
#else
#define WIDE_AS_POSSIBLE
#endif

/* Tags that are compared at once: many, then few. */
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

static uint64_t *set_of(const struct structure *s, uint64_t set)
{
    return s->tags + set * s->strip + (s->ordered ? s->window[set] : 0);
}

/* ---- ways in order ---- */

/* Moves the tags before a place back by one, and puts this one first. */
static inline void put_first(uint64_t *tags, uint64_t place, uint64_t tag)
{
    memmove(tags + 1, tags, place * sizeof *tags);
    tags[0] = tag;
}

static uint64_t fill_ordered(struct structure *s, uint64_t set, uint64_t tag)
{
    uint64_t *strip = s->tags + set * s->strip, ways = s->shape.ways;
    if (s->window[set] == 0) {
        s->window[set] = (uint32_t)(s->strip - ways);
        memmove(strip + s->window[set], strip, ways * sizeof *strip);
    }
    uint64_t *tags = strip + --s->window[set];
    tags[0] = tag;
    return tags[ways];
}

/* ---- ways in their places ---- */

static uint64_t fill_placed(struct structure *s, uint64_t set, uint64_t tag)
{
    uint64_t *tags = set_of(s, set), way = find_tag(tags, s->shape.ways, 0), victim = 0;
    uint8_t *state = s->states != NULL ? s->states + set * s->leaves : NULL;
    if (way == s->shape.ways) {
        way = state != NULL ? replace_victim(&s->shape, state)
                            : random_below(&s->random, s->shape.ways);
        victim = tags[way];
    }
    tags[way] = tag;
    if (state != NULL)
        replace_use(&s->shape, state, (uint32_t)way, true);
    return victim;
}

/* ---- both ---- */

bool structure_hit(struct structure *s, uint64_t number, uint64_t tag)
{
    uint64_t set = assoc_set(&s->shape, number), *tags = set_of(s, set);
    if (s->ordered && tags[0] == tag)
        return true;
    uint64_t way = find_tag(tags, s->shape.ways, tag);
    if (way == s->shape.ways)
        return false;
    if (s->shape.replacement == REPLACE_LRU)
        put_first(tags, way, tag);
    else if (s->states != NULL)
        replace_use(&s->shape, s->states + set * s->leaves, (uint32_t)way, false);
    return true;
}

uint64_t structure_fill(struct structure *s, uint64_t number, uint64_t tag)
{
    uint64_t set = assoc_set(&s->shape, number);
    return s->ordered ? fill_ordered(s, set, tag) : fill_placed(s, set, tag);
}

void structure_drop(struct structure *s, uint64_t number, uint64_t tag)
{
    uint64_t ways = s->shape.ways, *tags = set_of(s, assoc_set(&s->shape, number));
    uint64_t way = find_tag(tags, ways, tag);
    if (way == ways)
        return;
    if (s->ordered) {
        memmove(tags + way, tags + way + 1, (ways - 1 - way) * sizeof *tags);
        tags[ways - 1] = 0;
    } else
        tags[way] = 0;
}
