/* structure.c: one set-associative structure over numbers that are not known beforehand.
 *
 *     structure_open(&dtlb, &shape, seed);
 *     if (!structure_hit(&dtlb, page, tag))
 *         structure_fill(&dtlb, page, tag);
 */
#include "trace/structure.h"
#include "base/error.h"
#include <stdlib.h>

static void open_list(struct structure *s, uint64_t sets)
{
    uint32_t entries = (uint32_t)s->shape.entries;
    lru_open(&s->lru, entries, (uint32_t)sets, allocate(lru_bytes(entries, (uint32_t)sets), 1));
}

void structure_open(struct structure *s, const struct assoc_shape *shape, uint64_t seed)
{
    uint64_t sets = shape->entries / shape->ways;
    bool ordered = shape->replacement == REPLACE_LRU || shape->replacement == REPLACE_FIFO;
    *s = (struct structure){.shape = *shape, .leaves = replace_leaves(shape)};
    s->kind = !ordered                   ? STRUCTURE_OTHER
              : shape->ways > WAYS_TIMED ? STRUCTURE_LISTED
                                         : STRUCTURE_TIMED;
    s->is_masked = shape->index == INDEX_LINEAR && (sets & (sets - 1)) == 0;
    s->mask = sets - 1;
    if (s->kind == STRUCTURE_LISTED)
        open_list(s, sets);
    else
        s->tags = allocate(shape->entries, sizeof *s->tags);
    if (s->kind == STRUCTURE_TIMED)
        s->uses = allocate(shape->entries, sizeof *s->uses);
    for (uint64_t i = 0; s->uses != NULL && i < shape->entries; i++)
        s->uses[i] = (int64_t)(i % shape->ways);
    if (!ordered && shape->replacement != REPLACE_RANDOM)
        s->states = allocate(sets, s->leaves);
    random_seed(&s->random, seed, 0);
}

void structure_close(struct structure *s)
{
    free(s->lru.nodes);
    free(s->tags);
    free(s->uses);
    free(s->states);
}

void structure_drop(struct structure *s, uint64_t number, uint64_t tag)
{
    uint64_t set = structure_set(s, number), ways = s->shape.ways;
    if (s->kind == STRUCTURE_LISTED) {
        uint32_t entry = lru_find(&s->lru, tag);
        if (entry != LRU_NONE)
            lru_drop(&s->lru, entry, (uint32_t)set);
        return;
    }
    uint64_t way = structure_find(s->tags + set * ways, ways, tag);
    if (way == ways)
        return;
    s->tags[set * ways + way] = 0;
    if (s->kind == STRUCTURE_TIMED)
        s->uses[set * ways + way] = (int64_t)way;
}
