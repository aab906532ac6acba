/* geometry.h: the points that show the organisation of a TLB. */
#ifndef TLBLAB_PLAN_GEOMETRY_H
#define TLBLAB_PLAN_GEOMETRY_H

#include "plan/batch.h"

/* Requests the missing points of the first incomplete stage: the levels (plan_tlb()), their
 * capacity at strides of 2, 4, 8, … pages, the pages that one set holds and its replacement, the
 * pages that share a set, and the inclusion of the first level. Later stages use the results of
 * earlier ones (stride_profile.h). */
void plan_geometry(struct batch *batch);

/* The part of it that shows the ways, sets and index of the second level, whose capacity is then
 * known although a neighbour holds entries (sets_capacity.h). plan_tlb() has no points left. */
void plan_second_level(struct batch *batch);

#endif
