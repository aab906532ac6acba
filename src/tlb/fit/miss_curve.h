/* miss_curve.h: miss curves: the share of loads that miss a level, by the number of pages visited
 * again and again, for each kind of level. */
#ifndef TLBLAB_FIT_MISS_CURVE_H
#define TLBLAB_FIT_MISS_CURVE_H

#include <stdbool.h>

enum rule { RULE_LRU, RULE_RANDOM, RULE_NRU, RULES };

/* The pages of a round come in the same order every time; in a new one (kernel `code`); or each at
 * random (an entry that holds several neighbours of pages that do). */
enum order { ORDER_FIXED, ORDER_NEW, ORDER_RANDOM };

/* A kind of level. FIFO and SRRIP equal LRU where no page is visited twice in a round, and so does
 * a tree of bits over a power of two ways. */
struct miss_curve {
    enum rule rule;
    double ways; /* 0: fully associative */
    bool hashed; /* pages fall into sets at random; else evenly */
    double
        before; /* entries of the level before, of which this one is exclusive; 0: not exclusive */
    int gap;    /* bits of the page number that the index leaves out below its highest one */
    enum order order; /* ORDER_NEW: LRU of evenly filled sets; ORDER_RANDOM: fully associative */
};

/* The share of loads that miss with so many pages; `entries` includes those of the level before an
 * exclusive one, and need not be a multiple of the ways. *variance is that of the share over random
 * hashes; 0 unless `hashed`.
 *
 * k is the number of pages in a load's set, its own included, that the level before does not hold.
 * It is n / sets rounded down or up where sets fill evenly, and Poisson distributed with that mean
 * where they fill at random. LRU: the load misses when k > W. Random replacement: each miss between
 * two visits evicts the page with probability 1/W, so the share of hits is h = (1 - 1/W)^((k - t)(1
 * - h)); t is 1/2 at k = W + 1 (where 1 - h is exactly 2 / (W + 1)) and near 1 for large k.
 * NRU: from
 * one clearing of the marks to the next W - 1 pages are marked, of which floor((W - 1) / (k - W +
 * 1)) are hits.
 *
 * An index that leaves g bits out below its highest one (AMD's Zen 3, 4 and 5: measured) fills half
 * of the sets with 2^g pages each before the other half, so that misses come in two stages.
 *
 * In a new order every round, LRU: of a set with n pages the share (1 + H(n) - H(n - W)) (n - W) /
 * n misses, H the harmonic numbers: at least W others come between two visits. At random: 1 - C /
 * n.
 *
 * A page that moves from an exclusive level to the one before leaves its way empty. LRU, the level
 * before random or set-associative too, is then as above. Random replacement misses with few pages
 * too many as if fewer were in the level before than there are on average. These are within 0.04 of
 * simulated sets, NRU within 0.08. */
double miss_curve_share(const struct miss_curve *shape, double entries, double pages,
                        double *variance);

#endif
