/* bounds.h: sizes that the memory of this machine allows. */
#ifndef TLBLAB_PLAN_BOUNDS_H
#define TLBLAB_PLAN_BOUNDS_H

#include "tlb/plan/options.h"
#include <stdint.h>

/* Bounds the default sizes to what half of the memory available holds (huge pages: a quarter). */
void bounds_pages(struct plan_options *plan);

/* Address space for large spacings: 1 GiB of it, or half if that is less, stays free. */
uint64_t bounds_address(enum plan_kind kind);

/* The largest of the whitepaper's buffers below half of the memory available. Dies where there is
 * none. */
uint64_t bounds_buffer(void);

#endif
