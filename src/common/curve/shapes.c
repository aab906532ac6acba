/* shapes.c: the kinds of levels that a fit tries. */
#include "curve/shapes.h"
#include <math.h>
#include <stdbool.h>

/* Ways that are tried; 0 is fully associative. Above `every_way`, only LRU with evenly filled sets
 * needs odd ways: the other curves hardly differ. [prior] */
static const double ways_tried[] = {0,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14,
                                    15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 28, 32};
static const double every_way = 6;
enum { WAYS = sizeof ways_tried / sizeof *ways_tried, GAP_MOST = 2 };
_Static_assert(SHAPES_MOST == (4 * RULES + GAP_MOST) * WAYS, "room for all shapes");

/* Handicaps of the score: exclusive levels (the most, hashed or with SRRIP, PLRU or random
 * replacement, whose gentle rises fit much), rules other than LRU, some numbers of ways (is_rare())
 * and indexes with a gap are rarer. [prior] */
static const double rare_exclusive = 3, rarest = 15, rare_rule = 5, rare_random = 2, rare_ways = 10,
                    rare_gap = 10;

/* The TLBs that are known have 4, 5 or 6 ways, or a power of two times as many. [prior] */
static bool is_rare(double ways)
{
    int exponent;
    double part = 8 * frexp(ways, &exponent);
    return ways == 3 || part == 7 || part != floor(part);
}

static bool is_possible(const struct miss_curve *s, enum shapes kind)
{
    bool plain = s->rule == RULE_LRU && !s->hashed;
    if (!plain && s->ways > every_way && fmod(s->ways, 2) > 0)
        return false;
    if (s->rule == RULE_PLRU && s->before == 0 && s->ways > 0 && frexp(s->ways, &(int){0}) == 0.5)
        return false; /* a tree over a power of two is LRU */
    if (s->rule == RULE_NRU && s->hashed && s->before > 0)
        return false; /* none is known */
    if (s->rule == RULE_SRRIP && (s->hashed || s->before == 0 || s->ways == 0))
        return false; /* LRU, or not known */
    if (s->hashed)
        return kind == SHAPES_ALL && s->ways > 0 && !is_rare(s->ways);
    return kind != SHAPES_SHARP || s->rule == RULE_LRU || s->rule == RULE_NRU ||
           (s->rule != RULE_RANDOM && s->before > 0);
}

/* Levels whose index has a gap. */
static size_t list_gaps(struct candidate candidates[SHAPES_MOST], enum shapes kind)
{
    size_t count = 0;
    for (int gap = 1; gap <= GAP_MOST; gap++)
        for (int i = 0; i < WAYS; i++) {
            struct miss_curve s = {RULE_LRU, ways_tried[i], false, 0, gap};
            double handicap = rare_gap + (kind != SHAPES_SHARP && is_rare(s.ways) ? rare_ways : 0);
            if (s.ways > 0)
                candidates[count++] = (struct candidate){.shape = s, .handicap = handicap};
        }
    return count;
}

size_t shapes_list(struct candidate candidates[SHAPES_MOST], enum shapes kind, double before)
{
    size_t count = before > 0 ? list_gaps(candidates, kind) : 0;
    for (int i = 0; i < 4 * RULES * WAYS; i++) {
        int family = i / (RULES * WAYS);
        bool exclusive = family % 2 > 0, hashed = family > 1;
        struct miss_curve s = {(enum rule)(i % RULES), ways_tried[i / RULES % WAYS], hashed,
                               exclusive ? before : 0, 0};
        bool simple = !hashed && (s.rule == RULE_LRU || s.rule == RULE_NRU);
        double handicap = exclusive ? simple ? rare_exclusive : rarest : 0;
        handicap += s.rule == RULE_RANDOM            ? rare_random
                    : s.rule == RULE_NRU && s.hashed ? rarest
                    : s.rule != RULE_LRU             ? rare_rule
                                                     : 0;
        handicap += kind != SHAPES_SHARP && is_rare(s.ways) ? rare_ways : 0;
        if (is_possible(&s, kind) && (before > 0 || !(exclusive || hashed)))
            candidates[count++] = (struct candidate){.shape = s, .handicap = handicap};
    }
    return count;
}
