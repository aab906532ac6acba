/* tag_array.c: one set-associative tag array over numbers that are not known beforehand.
 *
 *     tag_array_open(&dtlb, &shape, seed);
 *     if (!tag_array_hit(&dtlb, page, tag))
 *         tag_array_fill(&dtlb, page, tag);
 */
#include "trace/tlbs/tag_array.h"
#include "base/error.h"
#include "base/number.h"
#include <stdlib.h>

static void open_list(struct tag_array *s, uint64_t sets)
{
    uint32_t entries = (uint32_t)s->shape.entries;
    lru_open(&s->lru, entries, (uint32_t)sets, allocate(lru_bytes(entries, (uint32_t)sets), 1));
}

static void open_rows(struct tag_array *s, uint64_t sets)
{
    uint64_t ways = s->shape.ways;
    s->row = (uint32_t)((ways + LANES - 1) / LANES * LANES);
    s->tags = allocate(sets * s->row, sizeof *s->tags);
    if (s->kind == TAG_ARRAY_TIMED)
        s->uses = allocate(sets * s->row, sizeof *s->uses);
    for (uint64_t i = 0; s->uses != NULL && i < sets * s->row; i++)
        s->uses[i] = i % s->row < ways ? (int64_t)(i % s->row) : INT64_MAX;
}

/* Each bit of a number changes the set by itself, so a byte needs one look for all of its bits. */
static void open_sets(struct tag_array *s)
{
    s->mask = 0;
    for (int i = 0; i < ASSOC_MASKS; i++)
        s->mask |= s->shape.mask[i];
    s->sets = allocate(8 * 256, sizeof *s->sets);
    for (unsigned byte = 0; byte < 8; byte++)
        for (uint64_t value = 0; value < 256; value++)
            s->sets[byte * 256 + value] = (uint16_t)assoc_set(&s->shape, value << 8 * byte);
}

void tag_array_open(struct tag_array *s, const struct assoc_shape *shape, uint64_t seed)
{
    uint64_t sets = shape->entries / shape->ways;
    bool ordered = shape->replacement == REPLACE_LRU || shape->replacement == REPLACE_FIFO;
    *s = (struct tag_array){.shape = *shape, .leaves = replace_leaves(shape)};
    s->kind = !ordered                   ? TAG_ARRAY_OTHER
              : shape->ways > WAYS_TIMED ? TAG_ARRAY_LISTED
                                         : TAG_ARRAY_TIMED;
    s->is_masked = shape->index == INDEX_LINEAR && is_power_of_two(sets);
    s->mask = sets - 1;
    if (shape->index == INDEX_BITS)
        open_sets(s);
    if (s->kind == TAG_ARRAY_LISTED)
        open_list(s, sets);
    else
        open_rows(s, sets);
    if (!ordered && shape->replacement != REPLACE_RANDOM)
        s->states = allocate(sets, s->leaves);
    random_seed(&s->random, seed, 0);
}

void tag_array_close(struct tag_array *s)
{
    free(s->lru.nodes);
    free(s->sets);
    free(s->tags);
    free(s->uses);
    free(s->states);
}

void tag_array_drop(struct tag_array *s, uint64_t number, uint64_t tag)
{
    uint64_t set = tag_array_set(s, number), ways = s->shape.ways;
    if (s->kind == TAG_ARRAY_LISTED) {
        uint32_t entry = lru_find(&s->lru, tag);
        if (entry != LRU_NONE)
            lru_drop(&s->lru, entry, (uint32_t)set);
        return;
    }
    uint64_t way = tag_array_find(s, set, tag);
    if (way >= ways)
        return;
    s->tags[set * s->row + way] = 0;
    if (s->kind == TAG_ARRAY_TIMED)
        s->uses[set * s->row + way] = (int64_t)way;
}
