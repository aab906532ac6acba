/* tlb.h: the points that tell the levels of a TLB, and what a walk costs. */
#ifndef TLBLAB_PLAN_TLB_H
#define TLBLAB_PLAN_TLB_H

#include "plan/batch.h"

/* Requests for the curve of `page` and `packed`, refined around its knees: a plan of its own, with
 * which others begin. */
void plan_tlb(struct batch *batch);

/* The same on scattered and on contiguous frames. */
void plan_coalescing(struct batch *batch);

/* The curve of pages so far apart that each has an entry of its own in the lowest table of the page
 * table, the one above, and so on: a table has as many entries of 8 bytes as fit into a page. */
void plan_walk(struct batch *batch);

#endif
