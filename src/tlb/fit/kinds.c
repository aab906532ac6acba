/* kinds.c: the kinds of levels that a fit tries. */
#include "tlb/fit/kinds.h"
#include <math.h>

/* Numbers of ways; 0 is fully associative. [prior] */
static const double all_ways[] = {0, 4, 5, 6, 8, 10, 12, 16, 20, 24, -1},
                    set_ways[] = {4, 5, 6, 8, 10, 12, 16, 20, 24, -1};

/* A family of kinds, and how much rarer it is than LRU with evenly filled sets: what is added to
 * the score, -2 log likelihood. [prior] */
static const struct family {
    enum rule rule;
    bool hashed, exclusive;
    int gap;
    const double *ways;
    double handicap;
} families[] = {{RULE_LRU, false, false, 0, all_ways, 0},
                {RULE_NRU, false, false, 0, all_ways, 5},
                {RULE_RANDOM, false, false, 0, all_ways, 2},
                /* not of a first level: */
                {RULE_LRU, false, false, 1, set_ways, 5},
                {RULE_LRU, false, false, 2, set_ways, 5},
                {RULE_NRU, false, false, 1, set_ways, 8},
                {RULE_NRU, false, false, 2, set_ways, 8},
                {RULE_LRU, false, true, 0, all_ways, 10},
                {RULE_RANDOM, false, true, 0, all_ways, 15},
                {RULE_LRU, true, false, 0, set_ways, 10}};

const struct miss_curve kinds_simple[KINDS_SIMPLE] = {{.rule = RULE_LRU},
                                                      {.rule = RULE_LRU, .ways = 8},
                                                      {.rule = RULE_LRU, .ways = 8, .hashed = true},
                                                      {.rule = RULE_RANDOM}};

/* No TLB is known with a number of sets that is no power of two; fully associative levels, of any
 * number of entries, lie between. Levels with fewer sets are not hashed. [prior] */
static const double odd_sets = 30, no_sets = 10, hashed_sets_least = 8;

size_t kinds_list(struct attempt kinds[KINDS_MOST], double before)
{
    size_t count = 0;
    for (size_t i = 0; i < sizeof families / sizeof *families; i++) {
        const struct family *f = &families[i];
        if (before == 0 && (f->hashed || f->exclusive || f->gap > 0))
            continue;
        for (const double *ways = f->ways; *ways >= 0; ways++)
            kinds[count++] = (struct attempt){
                .shape = {f->rule, *ways, f->hashed, f->exclusive ? before : 0, f->gap},
                .handicap = f->handicap};
    }
    return count;
}

double kinds_odd(const struct miss_curve *kind, double entries, double before)
{
    double sets = (entries - kind->before) / kind->ways;
    bool powers = kind->hashed || kind->gap > 0;
    if (kind->ways == 0)
        return before > 0 ? odd_sets : no_sets;
    if (powers && sets < hashed_sets_least)
        return INFINITY;
    return sets == exp2(round(log2(sets))) ? 0 : powers ? INFINITY : odd_sets;
}
