/* miss_curve.h: miss curves: the share of loads that miss a level, by the number of pages visited
 * over and over, for each kind of level. */
#ifndef TLBLAB_FIT_MISS_CURVE_H
#define TLBLAB_FIT_MISS_CURVE_H

#include <stdbool.h>

enum rule { RULE_LRU, RULE_RANDOM, RULE_NRU, RULES };

/* The pages of a round come in the same order every time, in a new order (kernel `code`), or each
 * at random (or nearly so: entries that hold several neighbouring pages). */
enum order { ORDER_FIXED, ORDER_NEW, ORDER_RANDOM };

/* A kind of level. FIFO and SRRIP equal LRU if no page is visited twice in a round, and so does
 * tree PLRU over a power of two ways. */
struct miss_curve {
    enum rule rule;
    double ways;      /* 0: fully associative */
    bool hashed;      /* pages fall into sets at random; else evenly */
    double before;    /* entries of the level before if this one is exclusive of it, else 0 */
    int gap;          /* bits that the index skips below its highest bit */
    enum order order; /* ORDER_NEW: LRU of evenly filled sets; ORDER_RANDOM: fully associative */
};

/* The share of loads that miss with this many pages; `entries` includes those of the level before
 * an exclusive one, and need not be a multiple of the ways. *variance is that of the share over
 * random hashes, 0 unless `hashed`.
 *
 * Let k be the number of pages in a load's set, its own included, that the level before does not
 * hold. If sets fill evenly, it is n / sets rounded down or up; if at random, it is Poisson
 * distributed with that mean.
 *
 * LRU: the load misses when k > W.
 *
 * Random replacement: each miss between two visits evicts the page with probability 1/W, so the
 * share of hits is h = (1 - 1/W)^((k - t)(1 - h)); t is 1/2 at k = W + 1 (where 1 - h is exactly
 * 2 / (W + 1)) and near 1 for large k.
 *
 * NRU: between two clearings of the marks W - 1 pages are marked, of which
 * floor((W - 1) / (k - W + 1)) are hits.
 *
 * An index that skips g bits below its highest one (measured on AMD's Zen 3, 4 and 5) fills half of
 * the sets with 2^g pages each before the other half, so misses come in two stages.
 *
 * New order every round, LRU: a share of (1 + H(n) - H(n - W)) (n - W) / n of a set's n pages
 * misses (H: harmonic numbers), those with at least W others between two visits. At random:
 * 1 - C / n.
 *
 * A page that moves from an exclusive level to the one before leaves its way empty. LRU is then as
 * above, even behind a random or set-associative level. Random replacement with few excess pages
 * misses as if the level before held fewer pages than it does on average. These formulas are within
 * 0.04 of simulated sets, NRU within 0.08. */
double miss_curve_share(const struct miss_curve *shape, double entries, double pages,
                        double *variance);

#endif
