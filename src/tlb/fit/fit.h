/* fit.h: the levels of a TLB in one fit of none to three levels. Page minus packed at n pages is
 * base plus, for each level, its step times the share of loads that miss it and all levels before,
 * less the share that packed misses (detect(1), Method control). */
#ifndef TLBLAB_FIT_FIT_H
#define TLBLAB_FIT_FIT_H

#include "tlb/curve/knee.h"
#include "tlb/fit/kinds.h"
#include "tlb/fit/miss_curve.h"
#include <stdbool.h>
#include <stddef.h>

/* A machine's levels, and a curve's rises: there may be one more, of walks that get slower when
 * page tables leave a cache. [bound] */
enum { FIT_LEVELS_MOST = 3, FIT_RISES_MOST = FIT_LEVELS_MOST + 1 };

/* A level. Of its knee's points, at `before` hardly any load misses, and at `end` nearly all do;
 * the plateau includes the steps of the levels before. */
struct fitted_level {
    struct miss_curve kind;
    double entries, least, most; /* the best capacity, and the range of similarly good ones */
    struct knee knee;
    bool odd;     /* its number of sets is not a power of two; no such TLB is known */
    bool poor;    /* the points deviate by more than their errors */
    bool by_laps; /* counted (tlb/laps/levels.h), not fitted */
    int signs;    /* of a counted level: how sure it is (fits_signs()) */
    bool held;    /* of a counted level: something else may have held entries */
};

/* Fits the levels, in ascending order, to page minus packed; returns their number. A packed chain
 * has `lines_per_page` nodes to a page, so it misses too, but only with that many times the nodes;
 * INFINITY if it does not miss or there is none. `of`: the type of curve (kinds.h). */
size_t fit_levels(const struct curve *difference, double lines_per_page, enum kinds of,
                  struct fitted_level levels[FIT_LEVELS_MOST]);

/* The share of loads that miss a level, with `pages` nodes, one to a page. */
double fit_share(const struct fitted_level *level, double pages);

/* The mean cost of that level's misses per load, with `pages` nodes, one to a page. */
double fit_cost(const struct fitted_level *level, double pages);

/* The share of loads of a packed chain that miss a level: it visits its pages in random order, so
 * it misses in 1 - entries / pages of them (independent references, LRU). */
double fit_packed_share(double entries, double nodes, double lines_per_page);

#endif
