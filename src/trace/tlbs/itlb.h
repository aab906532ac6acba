/* itlb.h: a machine that has only an iTLB, for 'tlbsim --itlb'. */
#ifndef TLBLAB_TLBS_ITLB_H
#define TLBLAB_TLBS_ITLB_H

#include "tlb/simulate/model.h"

/* A machine with pages of 4 KiB, whose levels have these entries, a list such as "64,1024": fully
 * associative, LRU. Dies on any other list. */
struct model itlb_of(const char *list);

#endif
