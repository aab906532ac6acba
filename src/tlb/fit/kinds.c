/* kinds.c: the kinds of level that a fit tries. */
#include "tlb/fit/kinds.h"
#include <math.h>

/* Numbers of ways; 0 is fully associative. [prior] */
static const double all_ways[] = {0, 4, 5, 6, 8, 10, 12, 16, 20, 24, -1},
                    set_ways[] = {4, 5, 6, 8, 10, 12, 16, 20, 24, -1}, few_ways[] = {0, 4, 8, -1},
                    no_ways[] = {0, -1};

/* A family of kinds, and a handicap for its rarity: added to the score, -2 log likelihood. [prior]
 */
enum { LOADS = KINDS_LOADS | KINDS_NEIGHBOURS, BENDS = KINDS_NEIGHBOURS | KINDS_CODE };
static const struct family {
    unsigned of; /* enum kinds, or'ed */
    struct miss_curve shape;
    bool exclusive;
    const double *ways;
    double handicap;
} families[] = {{LOADS, {.rule = RULE_LRU}, false, all_ways, 0},
                {LOADS, {.rule = RULE_NRU}, false, all_ways, 5},
                {LOADS, {.rule = RULE_RANDOM}, false, all_ways, 2},
                {KINDS_NEIGHBOURS, {.order = ORDER_RANDOM}, false, no_ways, 0},
                {KINDS_CODE, {.order = ORDER_RANDOM}, false, no_ways, 10},
                {KINDS_CODE, {.order = ORDER_NEW}, false, few_ways, 0},
                {KINDS_CODE, {.rule = RULE_LRU}, false, no_ways, 0},
                /* not for a first level: */
                {LOADS, {.rule = RULE_LRU, .gap = 1}, false, set_ways, 5},
                {LOADS, {.rule = RULE_LRU, .gap = 2}, false, set_ways, 5},
                {LOADS, {.rule = RULE_NRU, .gap = 1}, false, set_ways, 8},
                {LOADS, {.rule = RULE_NRU, .gap = 2}, false, set_ways, 8},
                {LOADS, {.rule = RULE_LRU}, true, all_ways, 10},
                {LOADS, {.rule = RULE_RANDOM}, true, all_ways, 15},
                {LOADS, {.rule = RULE_LRU, .hashed = true}, false, set_ways, 10}};

static const struct {
    unsigned of;
    struct miss_curve shape;
} simple[] = {{LOADS | BENDS, {.rule = RULE_LRU}},
              {LOADS, {.rule = RULE_LRU, .ways = 8}},
              {KINDS_LOADS, {.rule = RULE_LRU, .ways = 8, .hashed = true}},
              {KINDS_LOADS, {.rule = RULE_RANDOM}},
              {BENDS, {.order = ORDER_RANDOM}},
              {KINDS_CODE, {.order = ORDER_NEW}}};

/* No known TLB has a number of sets that is not a power of two. A fully associative first level, of
 * any size, gets a smaller handicap. Levels with fewer sets than this are not hashed. [prior] */
static const double odd_sets = 30, no_sets = 10, hashed_sets_least = 8;

size_t kinds_list(struct attempt kinds[KINDS_MOST], enum kinds of, double before)
{
    size_t count = 0;
    for (size_t i = 0; i < sizeof families / sizeof *families; i++) {
        const struct family *f = &families[i];
        bool behind = f->shape.hashed || f->exclusive || f->shape.gap > 0;
        if ((before == 0 && behind) || (f->of & of) == 0)
            continue;
        for (const double *ways = f->ways; *ways >= 0; ways++) {
            kinds[count] = (struct attempt){.shape = f->shape, .handicap = f->handicap};
            kinds[count].shape.ways = *ways;
            kinds[count++].shape.before = f->exclusive ? before : 0;
        }
    }
    return count;
}

size_t kinds_simple(struct miss_curve kinds[KINDS_SIMPLE], enum kinds of)
{
    size_t count = 0;
    for (size_t i = 0; i < sizeof simple / sizeof *simple; i++)
        if ((simple[i].of & of) != 0)
            kinds[count++] = simple[i].shape;
    return count;
}

double kinds_odd(const struct miss_curve *kind, double entries, double before)
{
    double sets = (entries - kind->before) / kind->ways;
    bool powers = kind->hashed || kind->gap > 0;
    if (kind->order == ORDER_RANDOM) /* its entries count pages: several per entry on average */
        return 0;
    if (kind->ways == 0)
        return before > 0 ? odd_sets : no_sets;
    if (powers && sets < hashed_sets_least)
        return INFINITY;
    return sets == exp2(round(log2(sets))) ? 0 : powers ? INFINITY : odd_sets;
}

double kinds_ways(double least)
{
    const double *ways = set_ways;
    while (*ways >= 0 && *ways < least)
        ways++;
    return *ways >= 0 ? *ways : least;
}
