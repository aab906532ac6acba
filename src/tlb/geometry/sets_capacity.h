/* sets_capacity.h: the capacity of a level as its ways times its sets. */
#ifndef TLBLAB_GEOMETRY_SETS_CAPACITY_H
#define TLBLAB_GEOMETRY_SETS_CAPACITY_H

#include "tlb/detect/analysis.h"
#include "tlb/detect/boundary.h"

/* Sets the entries of the second data TLB level to its ways times its sets, if samples of pages far
 * apart determine these (organisation.h) with more confidence than the curve has: a neighbour on
 * the same core may hold entries in all sets at once, but hardly ever in every single one
 * throughout. The first level's entries are added if the second is exclusive. Note
 * `ways_times_sets`. The series is sorted. */
void sets_capacity(struct analysis *analysis, struct boundaries *found);

#endif
