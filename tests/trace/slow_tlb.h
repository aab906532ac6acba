/* slow_tlb.h: TLBs as a textbook has them, slow and plain: every structure is a list of entries
 * with the times when they came and were last used, searched from end to end. The judge of
 * tlb/tlb.h. */
#ifndef TLBLAB_SLOW_TLB_H
#define TLBLAB_SLOW_TLB_H

#include "base/random.h"
#include "tlb/simulate/model.h"
#include "trace/tlbs/pages.h"
#include <stdlib.h>
#include <string.h>

enum { SLOW_ENTRIES = 64, SLOW_STRUCTURES = 40 };

struct slow_entry {
    bool held;
    uint64_t number, born, used;
    unsigned covers; /* 2^covers bytes */
    int age;         /* SRRIP; NRU: 1 after a use of late */
};

struct slow_structure {
    const struct model_level *row;
    struct slow_entry entry[SLOW_ENTRIES];         /* way w of set s is entry s * ways + w */
    bool points_right[SLOW_ENTRIES][SLOW_ENTRIES]; /* PLRU: of each set, a node between two halves,
                                                      by the first way of the right one */
    struct random random;
};

struct slow {
    const struct model *model;
    struct slow_structure structure[SLOW_STRUCTURES];
    int structures;
    uint64_t seed, now;
    bool contiguous;
    unsigned references;
};

static unsigned slow_log2(uint64_t x)
{
    unsigned n = 0;
    while (x >>= 1)
        n++;
    return n;
}

static struct slow_structure *slow_structure_of(struct slow *s, const struct model_level *row)
{
    for (int i = 0; i < s->structures; i++)
        if (s->structure[i].row == row ||
            (row->shared != NULL && s->structure[i].row->shared == row->shared))
            return &s->structure[i];
    struct slow_structure *made = &s->structure[s->structures];
    made->row = row;
    random_seed(&made->random, random_mix(s->seed, (uint64_t)s->structures++), 0);
    return made;
}

static uint64_t slow_set(const struct assoc_shape *shape, uint64_t number)
{
    uint64_t sets = shape->entries / shape->ways;
    if (shape->index == INDEX_XOR)
        return (number ^ number >> shape->fold) % sets;
    if (shape->index == INDEX_BITS) {
        uint64_t set = 0;
        for (unsigned bit = 0; bit < ASSOC_MASKS; bit++)
            for (uint64_t left = number & shape->mask[bit]; left != 0; left &= left - 1)
                set ^= (uint64_t)1 << bit;
        return set;
    }
    if (shape->index == INDEX_HASHED)
        return random_mix(shape->key, number) % sets;
    return number % sets;
}

static struct slow_entry *slow_find(struct slow_structure *s, uint64_t number, unsigned covers)
{
    for (uint64_t i = 0; i < s->row->shape.entries; i++)
        if (s->entry[i].held && s->entry[i].number == number && s->entry[i].covers == covers)
            return &s->entry[i];
    return NULL;
}

static uint64_t slow_leaves(uint64_t ways)
{
    uint64_t leaves = 1;
    while (leaves < ways)
        leaves *= 2;
    return leaves;
}

/* Every node above the way points to the half that the way is not in. */
static void slow_point_away(struct slow_structure *s, uint64_t set, uint64_t way)
{
    for (uint64_t below = slow_leaves(s->row->shape.ways); below > 1; below /= 2) {
        uint64_t first = way / below * below;
        s->points_right[set][first + below / 2] = way < first + below / 2;
    }
}

static uint64_t slow_follow(const struct slow_structure *s, uint64_t set)
{
    uint64_t first = 0, ways = s->row->shape.ways;
    for (uint64_t below = slow_leaves(ways); below > 1; below /= 2)
        if (s->points_right[set][first + below / 2] && first + below / 2 < ways)
            first += below / 2;
    return first;
}

static void slow_use(struct slow *all, struct slow_structure *s, struct slow_entry *e, bool fills)
{
    uint64_t place = (uint64_t)(e - s->entry), ways = s->row->shape.ways, set = place / ways;
    e->used = ++all->now;
    if (fills)
        e->born = all->now;
    slow_point_away(s, set, place % ways);
    if (s->row->shape.replacement == REPLACE_SRRIP)
        e->age = fills ? 2 : 0;
    if (s->row->shape.replacement == REPLACE_NRU) {
        bool all_marked = true;
        e->age = 1;
        for (uint64_t w = 0; w < ways; w++)
            all_marked = all_marked && s->entry[set * ways + w].age == 1;
        for (uint64_t w = 0; w < ways && all_marked; w++)
            s->entry[set * ways + w].age = &s->entry[set * ways + w] == e;
    }
}

/* The way of a full set that goes. */
static uint64_t slow_victim(struct slow_structure *s, uint64_t set)
{
    const struct assoc_shape *shape = &s->row->shape;
    struct slow_entry *e = s->entry + set * shape->ways;
    uint64_t way = 0;
    switch (shape->replacement) {
    case REPLACE_LRU:
    case REPLACE_FIFO:
        for (uint64_t w = 1; w < shape->ways; w++)
            if (shape->replacement == REPLACE_LRU ? e[w].used < e[way].used
                                                  : e[w].born < e[way].born)
                way = w;
        return way;
    case REPLACE_PLRU:
        return slow_follow(s, set);
    case REPLACE_RANDOM:
        return random_below(&s->random, shape->ways);
    case REPLACE_NRU:
        for (way = 0; way < shape->ways; way++)
            if (e[way].age == 0)
                return way;
        return 0;
    case REPLACE_SRRIP:
        for (;;) {
            for (way = 0; way < shape->ways; way++)
                if (e[way].age == 3)
                    return way;
            for (way = 0; way < shape->ways; way++)
                e[way].age++;
        }
    }
    return 0;
}

/* Inserts; *out is what had to go. */
static void slow_insert(struct slow *all, struct slow_structure *s, uint64_t number,
                        unsigned covers, struct slow_entry *out)
{
    uint64_t ways = s->row->shape.ways, set = slow_set(&s->row->shape, number), way = 0;
    while (way < ways && s->entry[set * ways + way].held)
        way++;
    if (way == ways)
        way = slow_victim(s, set);
    struct slow_entry *e = &s->entry[set * ways + way];
    *out = *e;
    e->held = true;
    e->number = number;
    e->covers = covers;
    slow_use(all, s, e, true);
}

/* ---- levels ---- */

static unsigned slow_covers(const struct slow *s, const struct model_level *row, unsigned page)
{
    return page + (s->contiguous ? slow_log2(row->coalesce) : 0);
}

/* The levels of the pages that an entry of level i is for. */
static int slow_chain_of(struct slow *s, const struct model_rows *rows, int i, unsigned covers,
                         const struct model_level *chain[MODEL_LEVELS])
{
    int levels = 0;
    for (unsigned page = 12; page <= 30; page += 9) {
        levels = model_levels(rows, (uint64_t)1 << page, chain);
        if (i < levels && slow_covers(s, chain[i], page) == covers)
            break;
    }
    return levels;
}

/* An entry that has left level i: the levels that i includes lose it, and it moves to the next
 * level if that is exclusive. */
static void slow_left(struct slow *s, const struct model_rows *rows, int i, struct slow_entry gone)
{
    const struct model_level *chain[MODEL_LEVELS];
    while (gone.held) {
        int levels = slow_chain_of(s, rows, i, gone.covers, chain);
        for (int k = i; k > 0 && chain[k]->relation == INCLUSION_INCLUSIVE; k--) {
            struct slow_entry *e = slow_find(slow_structure_of(s, chain[k - 1]), gone.number,
                                             gone.covers);
            if (e != NULL)
                e->held = false;
        }
        if (++i >= levels || chain[i]->relation != INCLUSION_EXCLUSIVE)
            return;
        struct slow_entry next;
        slow_insert(s, slow_structure_of(s, chain[i]), gone.number, gone.covers, &next);
        gone = next;
    }
}

static void slow_walk(struct slow *s, uint64_t address, unsigned page)
{
    const struct model_level *walk[MODEL_LEVELS];
    unsigned base = slow_log2(s->model->page_bytes), bits = base - 3;
    int walks = model_levels(&s->model->walk, s->model->page_bytes, walk);
    s->references = 0;
    for (unsigned covers = page; covers < 48; covers += bits) {
        int known = -1; /* the cache of the tables that this one is found by */
        for (int i = 0; i < walks; i++)
            if (base + (unsigned)(i + 1) * bits == covers && covers > page)
                known = i;
        if (known >= 0) {
            struct slow_structure *cache = slow_structure_of(s, walk[known]);
            struct slow_entry *e = slow_find(cache, address >> covers, covers), out;
            if (e != NULL) {
                slow_use(s, cache, e, false);
                return;
            }
            slow_insert(s, cache, address >> covers, covers, &out);
        }
        s->references++;
    }
}

/* The levels that miss. */
static int slow_access(struct slow *s, uint64_t address, unsigned page, bool executes)
{
    const struct model_level *chain[MODEL_LEVELS];
    const struct model_rows *rows = executes ? &s->model->itlb : &s->model->dtlb;
    int levels = model_levels(rows, (uint64_t)1 << page, chain), hit = 0;
    struct slow_entry out, *e;
    for (; hit < levels; hit++) {
        unsigned covers = slow_covers(s, chain[hit], page);
        struct slow_structure *structure = slow_structure_of(s, chain[hit]);
        if ((e = slow_find(structure, address >> covers, covers)) == NULL)
            continue;
        slow_use(s, structure, e, false);
        if (hit > 0 && chain[hit]->relation == INCLUSION_EXCLUSIVE)
            e->held = false;
        break;
    }
    for (int i = hit - 1; i >= 0; i--) {
        unsigned covers = slow_covers(s, chain[i], page);
        if (chain[i]->relation == INCLUSION_EXCLUSIVE)
            continue;
        slow_insert(s, slow_structure_of(s, chain[i]), address >> covers, covers, &out);
        slow_left(s, rows, i, out);
    }
    if (hit == levels)
        slow_walk(s, address, page);
    return hit;
}

#endif
