/* published.h: TLBs of processors that no instruction describes, from their manuals. */
#ifndef TLBLAB_MACHINE_PUBLISHED_H
#define TLBLAB_MACHINE_PUBLISHED_H

#include "platform.h"

/* Claims `dtlb1_4k_entries`, `dtlb1_4k_ways`, … of the Arm core `cpu` of /proc/cpuinfo, for the
 * page size named `page` ("4k"), if its manual is known here. The source begins with "published".
 */
void published_tlbs(uint64_t cpu, const char *page, platform_claim *claim, void *context);

#endif
