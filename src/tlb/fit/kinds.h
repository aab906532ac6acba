/* kinds.h: the kinds of level that a fit tries (miss_curve.h), and how rare they are. */
#ifndef TLBLAB_FIT_KINDS_H
#define TLBLAB_FIT_KINDS_H

#include "tlb/fit/miss_curve.h"
#include <stdbool.h>
#include <stddef.h>

enum { KINDS_MOST = 160 }; /* [bound] */

/* The curves a kind applies to: loads with one page per entry, loads where an entry may hold
 * several neighbouring pages, and code, whose order changes every round. */
enum kinds { KINDS_LOADS = 1, KINDS_NEIGHBOURS = 2, KINDS_CODE = 4 };

/* A kind at one capacity, and how well it fits. */
struct attempt {
    struct miss_curve shape;
    double entries, base_ns, step_ns;
    double handicap; /* added to the score for rarity */
    double mean;     /* of the points' scores */
    double squares;  /* sum of squared errors over variances */
    double score;    /* -2 log likelihood, up to a constant */
};

/* Lists the kinds for such curves with their handicaps; returns their number. `before` is the
 * number of entries of the level before; 0 for a first level, which is neither exclusive nor
 * hashed, and whose index has no gap. */
size_t kinds_list(struct attempt kinds[KINDS_MOST], enum kinds of, double before);

/* The few kinds that the search for rises needs; returns their number. */
enum { KINDS_SIMPLE = 4 }; /* their maximum [bound] */
size_t kinds_simple(struct miss_curve kinds[KINDS_SIMPLE], enum kinds of);

/* The smallest number of ways of a second level that is not below `least`; `least` if it is beyond
 * them all. */
double kinds_ways(double least);

/* The handicap of a number of entries: positive if the number of sets is not a power of two,
 * INFINITY if the kind has no such level. */
double kinds_odd(const struct miss_curve *kind, double entries, double before);

#endif
