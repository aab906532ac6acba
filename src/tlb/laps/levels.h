/* levels.h: the levels of a TLB, of data or of instructions, and caches.
 *
 * First level: the consecutive pages that fit; or, where that is at least as sure, its ways (pages
 * of one set) times the power of two that consecutive pages allow. Second level: its ways, while
 * others flush the first level, times the power of two that the curve of page minus packed allows.
 * If it allows several, the number of nearer pages that fit may exclude the larger ones; else the
 * range spans them.
 *
 * Without moments: the misses of the fastest laps. Between two plateaus a load that
 * misses adds the step, so the misses of a lap over n pages are n (time - lower plateau) / step. A
 * level ends no lower than the last size of which less than one load misses, and no higher than the
 * first of which half of them do. Nobody measured what lies between these sizes, so that is its
 * range. */
#ifndef TLBLAB_LAPS_LEVELS_H
#define TLBLAB_LAPS_LEVELS_H

#include "tlb/curve/curve.h"
#include "tlb/laps/fits.h"
#include <stdbool.h>
#include <stddef.h>

enum { LEVELS_MAX = 3 }; /* that any machine has; moments show two [bound] */

struct level {
    double entries;     /* NaN: somewhere in the range */
    double least, most; /* most: NaN: unknown */
    int criteria;       /* how sure that is: 2 (high), 1 (medium), 0 (low) */
    bool held;          /* something else may have held entries */
    struct knee knee;   /* its rise on the curve */
};

/* What the families of moments show. */
struct counted {
    struct fits pages;  /* consecutive pages */
    struct fits first;  /* pages of one set, alone */
    struct fits second; /* the same, while others flush the first level: far or close */
    struct fits far;    /* of pages as far apart as any */
    struct fits close;  /* of pages CLOSE_PAGES apart */
    bool exclusive;     /* what the first level holds does not take entries of the second */
    struct fits near;   /* the same of pages near_pages apart, which are in many sets */
    double near_pages;  /* a power of two; 0: not measured */
};

/* Pages so far apart share a set unless its index folds bits beyond. Where something holds ways of
 * the set, more of them may fit than of far ones: fewer tables of pages are in use. [prior] */
enum { CLOSE_PAGES = 1 << 14 };

/* Each of the lowest bits of a page number, below this distance, selects a set, or there are fewer
 * such bits. [prior] */
enum { NEAR_PAGES = 32 };

/* Of the kernel, backing and page size of `like`; NULL: of any. */
struct counted counted_of(const struct families *families, const struct point *like);
struct counted counted_of_series(const struct series *series, const struct point *like);

/* One more index bit doubles the number that fits; beyond this multiple it has grown. */
extern const double laps_grown;

/* The entries of the first level, their range, and its step; false if none was found. */
bool laps_first_level(const struct counted *counted, struct level *level);

/* The levels, in ascending order, with the knees that they have in `difference`; their number. */
size_t laps_levels(const struct counted *counted, const struct curve *difference,
                   struct level levels[LEVELS_MAX]);

/* The level or cache that ends at a knee of the curve, by the fastest laps: exact if one more page
 * misses often, beyond the noise. */
struct level laps_fastest(const struct curve *curve, const struct knee *knee);

#endif
