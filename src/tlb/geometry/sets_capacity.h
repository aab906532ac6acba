/* sets_capacity.h: the capacity of a level as its ways times its sets. */
#ifndef TLBLAB_GEOMETRY_SETS_CAPACITY_H
#define TLBLAB_GEOMETRY_SETS_CAPACITY_H

#include "tlb/detect/analysis.h"
#include "tlb/detect/boundary.h"

/* Gives the second level of the data TLB among the boundaries its ways times its sets, where
 * samples of pages far apart show them (organisation.h) with more confidence than the curve has: a
 * neighbour on the same core may hold entries of all sets at once, but hardly ever of each one. The
 * first level's entries are added where the second is exclusive. Note `ways_times_sets`. The series
 * is sorted. */
void sets_capacity(struct analysis *analysis, struct boundaries *found);

#endif
