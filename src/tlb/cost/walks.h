/* walks.h: the cost of page walks that read new entries at successive levels of the page table. */
#ifndef TLBLAB_COST_WALKS_H
#define TLBLAB_COST_WALKS_H

#include "tlb/cost/penalty.h"

enum { WALKS_MAX = 4 }; /* [bound] */

/* Paging-structure caches (Intel SDM vol. 3A, 4.10.3; AMD's page walk cache) shorten a walk unless
 * it reads new entries at upper levels too. Depth k is the curve whose pages lie page_bytes ×
 * (page_bytes / 8)^(k - 1) apart: a table is a page of 8-byte entries, 512 for 4 KiB. A row gives
 * the cost at the largest sizes of its curve; depth 1 is the walk of penalty_control(). Note
 * `reach=N`: up to N nodes walks are cheaper; `not_reached`: the ordinary walk is unknown, or seems
 * to cost more than this one. A depth above the deepest that was measured has the note
 * `address_space`. Returns the number of rows: WALKS_MAX, or 0 if the samples have fewer than two
 * of these distances. */
size_t walks_find(const struct series *series, const struct control *control,
                  struct penalty *penalties);

/* All rows of walkpenalty: raw, controlled, by depth. Note `nested` on measured walks of a virtual
 * machine. Sorts the series. Returns their number. */
enum { PENALTIES_ROOM = PENALTIES_MAX + WALKS_MAX }; /* [bound] */
size_t penalties_find(struct series *series, bool guest, struct penalty penalties[PENALTIES_ROOM]);

#endif
