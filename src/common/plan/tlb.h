/* tlb.h: the points that show the levels of a TLB, and the cost of a page walk. */
#ifndef TLBLAB_PLAN_TLB_H
#define TLBLAB_PLAN_TLB_H

#include "plan/batch.h"
#include <stdbool.h>

/* Requests the curves of `page` and `packed`, refined around their knees. Other plans begin with
 * it.
 */
void plan_tlb(struct batch *batch);

/* Whether these curves leave the second level in doubt, so that its ways and sets are worth a look.
 */
bool tlb_second_is_unsure(const struct batch *batch);

/* plan_tlb() on scattered and on contiguous frames. */
void plan_coalescing(struct batch *batch);

/* Requests the curve at the spacings where each page has a table of its own at the lowest level of
 * the page table, at the level above, and so on. A table has page_bytes / 8 entries. [physics] */
void plan_walk(struct batch *batch);

#endif
