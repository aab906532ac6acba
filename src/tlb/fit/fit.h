/* fit.h: the levels of a TLB as one fit: time(n) = base + sum of step x misses(n; capacity, kind)
 * of none to three levels. */
#ifndef TLBLAB_FIT_FIT_H
#define TLBLAB_FIT_FIT_H

#include "tlb/curve/curve.h"
#include "tlb/fit/kinds.h"
#include "tlb/fit/miss_curve.h"
#include <stdbool.h>
#include <stddef.h>

/* The levels that any machine has, and the rises of a curve: walks that take longer where page
 * tables leave a cache are none of a level. [bound] */
enum { FIT_LEVELS_MOST = 3, FIT_RISES_MOST = FIT_LEVELS_MOST + 1 };

/* A level. Its points on the curve: `before` is the last of which hardly any load misses, `after`
 * the next, `end` the first of which nearly all do, or the last point. */
struct fitted_level {
    struct miss_curve kind;
    double entries, least, most; /* the best capacity, and the range of those about as good */
    double base_ns, step_ns;     /* time before it, and what a miss adds */
    double significance;         /* the step over its standard error */
    double half;                 /* pages of which half miss */
    size_t before, after, end;
    bool gradual;     /* half of the step lies a sixth or more beyond its beginning */
    bool reaches_end; /* still rising at the last point */
    bool odd;         /* the number of its sets is no power of two: no TLB is known to have such */
    bool poor;        /* the points lie off it by more than their errors */
};

/* Fits the levels, ascending, to page minus packed; returns their number. A packed chain has
 * `lines_per_page` nodes in a page and misses too, with so many times the pages; INFINITY where it
 * does not, or where there is none. `of`: which curve it is (kinds.h). */
size_t fit_levels(const struct curve *difference, double lines_per_page, enum kinds of,
                  struct fitted_level levels[FIT_LEVELS_MOST]);

/* How a fit came about: for each rise its level, from 1, or 0 where it is none, and the kinds that
 * were tried last; and the time by the whole model at each point, to be freed (NULL: no rise). */
struct fit_account {
    size_t rises;
    int level[FIT_RISES_MOST];
    struct attempts tried[FIT_RISES_MOST];
    double *fitted_ns;
};

/* The same, and *account unless it is NULL. */
size_t fit_levels_explained(const struct curve *difference, double lines_per_page, enum kinds of,
                            struct fitted_level levels[FIT_LEVELS_MOST],
                            struct fit_account *account);

/* The share of loads that miss a level, of so many nodes, one to a page. */
double fit_share(const struct fitted_level *level, double pages);

/* What misses of a level cost each load of so many nodes, one to a page. */
double fit_cost(const struct fitted_level *level, double pages);

/* The share of loads of a packed chain that miss a level of so many entries: it visits its pages in
 * random order, so that they miss in 1 - entries / pages of them (independent references, LRU). */
double fit_packed_share(double entries, double nodes, double lines_per_page);

#endif
