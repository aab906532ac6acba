/* walks.h: what walks through new entries at successive levels of the page table cost. */
#ifndef TLBLAB_COST_WALKS_H
#define TLBLAB_COST_WALKS_H

#include "cost/penalty.h"

enum { WALKS_MOST = 4 }; /* [bound] */

/* Walks through new entries at successive levels of the page table, which the paging-structure
 * caches (Intel SDM vol. 3A, 4.10.3; AMD's page walk cache) make shorter: depth k is the curve
 * whose pages lie page_bytes × (page_bytes / 8)^(k - 1) apart, a page of 4 KiB with 8 bytes to an
 * entry having 512 of them. What an access pays there at the largest sizes; depth 1 is the walk of
 * penalty_control(). `reach=N`: up to N nodes it pays less than that, but walks already. A depth
 * that was not measured is `address_space` above the deepest that was. Returns the number of rows:
 * WALKS_MOST, or 0 where the samples have fewer than two of these distances. Sorts the series. */
size_t walks_find(struct series *series, struct penalty *penalties);

#endif
