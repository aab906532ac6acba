/* geometry.h: the points that tell how a TLB is organised. */
#ifndef TLBLAB_PLAN_GEOMETRY_H
#define TLBLAB_PLAN_GEOMETRY_H

#include "plan/batch.h"

/* Requests for what is missing, stage by stage: the levels (plan_tlb), their capacity for pages 2,
 * 4, 8, … pages apart, how many pages one set holds, which pages share a set, and how the second
 * level relates to the first. Later stages need what the earlier ones found (stride_profile.h). */
void plan_geometry(struct batch *batch);

#endif
