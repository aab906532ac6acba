/* miss_curve.h: how the share of loads that miss in a level rises with the number of pages, when
 * they are visited again and again in one order: what kinds of levels there are. */
#ifndef TLBLAB_CURVE_MISS_CURVE_H
#define TLBLAB_CURVE_MISS_CURVE_H

#include <stdbool.h>

enum rule { RULE_LRU, RULE_PLRU, RULE_RANDOM };

/* A level. First in, first out is the same as LRU where no page is visited twice in a round. */
struct miss_curve {
    enum rule rule;
    double ways;   /* 0: fully associative */
    bool hashed;   /* pages fall into the sets by chance; else evenly */
    double before; /* entries of a level before that holds its pages exclusively; 0: none does */
};

/* The share of loads that miss with so many pages. `entries` is what the level holds together with
 * an exclusive one before it, and need be no multiple of the ways.
 *
 * A load finds k pages in its own set, itself included, of those that no level before holds. LRU:
 * it misses when k > W. Random replacement: of the misses between two visits each throws it out
 * with 1 / W, so that the share of hits is h = (1 - 1/W)^((k - t)(1 - h)); t is 1/2 for the first
 * page too many (where 1 - h is 2 / (W + 1) exactly) and near 1 for many. Tree PLRU is LRU where W
 * is a power of two; else its smaller half goes round while the larger one, of H ways, keeps what
 * it has, so that k - H of k miss up to 2H pages, and all beyond. k is n / sets rounded down or up
 * where the sets fill evenly, and Poisson distributed with that mean where they fill by chance.
 *
 * Pages that move on to an exclusive level before leave holes, which upset PLRU and random
 * replacement: sets that are too small there are simulated (victim_set.h). */
double miss_curve_share(const struct miss_curve *shape, double entries, double pages, double *luck);

#endif
