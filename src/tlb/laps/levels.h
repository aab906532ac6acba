/* levels.h: the levels of a TLB, of data or of instructions, from clean laps and the curve.
 *
 * First level: the consecutive pages that fit; or, where that is at least as sure, its ways (pages
 * of one set) times the power of two that consecutive pages allow. Second level: its ways, while
 * others flush the first level, times the power of two that the curve of page minus packed allows.
 * If it allows several, the range spans them. */
#ifndef TLBLAB_LAPS_LEVELS_H
#define TLBLAB_LAPS_LEVELS_H

#include "tlb/curve/curve.h"
#include "tlb/laps/fits.h"
#include "tlb/laps/level.h"
#include <stdbool.h>
#include <stddef.h>

/* What the three families of moments show. */
struct laps {
    struct fits pages;  /* consecutive pages */
    struct fits first;  /* pages of one set, alone */
    struct fits second; /* the same, while others flush the first level */
    bool exclusive;     /* what the first level holds does not take entries of the second */
};

/* Of the kernel, backing and page size of `like`; NULL: of any. */
struct laps laps_of(const struct families *families, const struct point *like);
struct laps laps_of_series(const struct series *series, const struct point *like);

/* A miss adds at least this many hits. */
extern const double laps_miss_hits_min;

/* The entries of the first level, their range, and its step; false if none was found. */
bool laps_first_level(const struct laps *laps, struct level *level);

/* The levels, in ascending order, with the knees that they have in `difference`; their number. */
size_t laps_levels(const struct laps *laps, const struct curve *difference,
                   struct level levels[LEVELS_MAX]);

#endif
