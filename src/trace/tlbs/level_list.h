/* level_list.h: a machine from the levels of its TLBs, for 'tlbsim --dtlb' and '--itlb'. */
#ifndef TLBLAB_TLBS_LEVEL_LIST_H
#define TLBLAB_TLBS_LEVEL_LIST_H

#include "tlb/simulate/model.h"

/* A machine with pages of 4 KiB, whose TLBs have these levels, lists such as "64:4,1536:12":
 * entries and ways, all of them where none are given, and LRU. NULL: no such TLB, though not both.
 * Dies on any other list. */
struct model level_list(const char *dtlb, const char *itlb);

#endif
