/* cache_sets.h: ways and sets of the first cache, from short chains of nodes far apart. */
#ifndef TLBLAB_GEOMETRY_CACHE_SETS_H
#define TLBLAB_GEOMETRY_CACHE_SETS_H

#include "access/series.h"
#include "tlb/geometry/organisation.h"
#include <stdbool.h>
#include <stdint.h>

/* Maximum number of nodes in a chain (layout `line`). */
enum { CACHE_SETS_NODES = 64 }; /* [bound] */

/* How many nodes `spacing` bytes apart the first cache holds, from chains of 1 to CACHE_SETS_NODES:
 * the last number before loads take an eighth longer than in the shortest chains. NaN without
 * samples of the shortest, infinity if all fit. *sharp: no chain contradicts the answer. */
double cache_sets_held(const struct series *series, const struct point *like, uint64_t spacing,
                       bool *sharp);

/* A point of these chains (layout `line`, a page or more apart, CACHE_SETS_NODES nodes), or NULL.
 */
const struct point *cache_sets_point(const struct series *series);

/* The row of the first cache, from chains at power-of-two distances, some larger than a page, and
 * from the line size (cache_line.h); the series is sorted. Nodes at multiples of sets × line fall
 * into one set, which holds one per way; at half that distance they fall into two sets. So sets ×
 * line is the smallest distance at which no more nodes fit than at any larger one; at least one
 * larger distance must be measured. If a way is larger than a page, bits of the page frame select
 * the set too, and there is no such distance.
 *
 * Returns NULL, or the reason why there is no row. Note `entries_disagree`: pairs do not start to
 * miss at ways × sets lines. */
const char *cache_sets_find(const struct series *series, struct organisation *row);

#endif
