/* cache_sets.h: ways and sets of the first cache, from a few nodes far apart. */
#ifndef TLBLAB_GEOMETRY_CACHE_SETS_H
#define TLBLAB_GEOMETRY_CACHE_SETS_H

#include "access/series.h"
#include "geometry/organisation.h"
#include <stdbool.h>
#include <stdint.h>

/* Chains of up to so many nodes (layout `line`) are looked at. */
enum { CACHE_SETS_NODES = 64 }; /* [bound] */

/* How many nodes so far apart the first cache holds, from chains of 1 to CACHE_SETS_NODES: the last
 * number before loads take an eighth longer than in the shortest ones. NaN without samples of the
 * shortest, infinity where all fit. *sharp where no chain contradicts it. */
double cache_sets_held(const struct series *series, const struct point *like, uint64_t spacing,
                       bool *sharp);

/* A point of the chains that tell (layout `line`, a page or more apart, CACHE_SETS_NODES nodes), or
 * NULL. */
const struct point *cache_sets_point(const struct series *series);

/* The row of the first cache, from chains at distances that are powers of two, some of which are
 * more than a page, and from its line (cache_line.h); the series is sorted. Nodes at multiples of
 * the bytes of all sets fall into one set, which holds as many as it has ways, however far apart
 * they are; at half of that distance they fall into two. So sets × line is the smallest distance at
 * which as few fit as at any larger one, which has to be measured, too. A cache of which one way is
 * larger than a page takes bits of the page frame to choose a set, and then no distance is the last
 * one.
 *
 * NULL, or why it cannot tell. Note `entries_disagree` where the pairs do not fill the cache at
 * such a size. */
const char *cache_sets_tell(const struct series *series, struct organisation *row);

#endif
