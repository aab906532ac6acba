/* cache_sets.h: ways and sets of the first cache, from nodes far apart. */
#ifndef TLBLAB_GEOMETRY_CACHE_SETS_H
#define TLBLAB_GEOMETRY_CACHE_SETS_H

#include "access/series.h"
#include "tlb/geometry/answers.h"
#include "tlb/geometry/organisation.h"

/* The row of the first cache, from moments of layout `line` on pages like this (of its backing and
 * kernel), and from the line size (cache_line.h); the series is sorted. Nodes at multiples of sets
 * × line fall into one set, which holds one per way; at half that distance they fall into two sets.
 * So sets × line is the smallest distance at which no more nodes fit than at any larger one. If a
 * way is larger than a page, bits of the page frame select the set too, and there is no such
 * distance.
 *
 * Returns NULL, or the reason why there is no row. Note `entries_disagree`: pairs do not start to
 * miss at ways × sets lines. */
const char *cache_sets_find(struct answers *answers, const struct series *series,
                            const struct point *like, struct organisation *row);

/* The nodes of any such moment; NULL: there are none. */
const struct point *cache_sets_point(const struct families *families);

#endif
