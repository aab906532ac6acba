/* caches.h: method `caches`: capacities of the caches, with the range of each transition, for
 * curves whose transitions are no steps. */
#ifndef TLBLAB_DETECT_CACHES_H
#define TLBLAB_DETECT_CACHES_H

#include "access/series.h"
#include "detect/boundary.h"

/* Levels that a core has to itself on most machines, unless one of them is the last. [prior] */
enum { CACHES_PRIVATE = 2 };

/* Chains that tell how fast misses follow one another: the second witness of the last level.
 * [tuned: unknown] */
enum { CACHES_CHAINS = 8 };

/* Adds a row for every transition (derivative.h) of the curve that `line` lies on; the series is
 * sorted.
 *
 * The share of loads that still hit at n lines is (upper − ns) / (upper − lower). Where lines come
 * to a set by chance (random page frames under a physical index, hashed slices), a line hits while
 * less than W others are in its set, so that the shares, summed over n, are the sum over the S sets
 * of W: that area is the capacity, whatever W is. (The latency itself is half way, or at the
 * geometric mean, elsewhere: with 8 ways at 0.83 of the capacity.) Where the sets fill evenly the
 * step is done within 1/W of the capacity, and a straight line through it meets the plateau there.
 * The first is taken where the rise from a tenth to nine tenths of the step (entries_min and
 * entries_max, also as bytes) takes a third of the size or more (note `gradual`), else the second.
 *
 * Caches that keep some lines of a crowded set have a larger area. Where there are loads drawn anew
 * (caches_drawn()) a gradual capacity is theirs: occupancy_fit.h. Levels above CACHES_PRIVATE, and
 * the last one, have a capacity only where CACHES_CHAINS chains tell the same; else `cannot_tell`,
 * and entries is NaN.
 *
 * Of more than CACHES_PRIVATE + 1 transitions, those that a single size of one or two samples makes
 * are none: somebody else's work made that size slow.
 *
 * Further notes: `joined` where the rise before had not come to rest, so that the two may be parts
 * of one cache (a stacked one, a neighbour's beside one's own) and the level be no level;
 * `two_slopes` where one rise has two slopes; `scattered` where the samples of a size within the
 * rise differ by more than the fifth of its step: others share the cache, or page frames differ in
 * luck; `at_end_of_sweep` where it has no upper plateau: entries is then NaN, entries_min where it
 * begins, and entries_max unknown; `sparse`: less than 4 sizes an octave. */
void caches_detect(const struct series *series, const struct point *line, struct boundaries *found);

/* A point of the loads drawn anew (kernel `random`) on the same memory as `line`, or NULL. */
const struct point *caches_drawn(const struct series *series, const struct point *line);

#endif
