/* segment.h: boundaries by steps over a baseline, the method of the whitepaper "TLB Analysis" of
 * macOS-memory-benchmark (0.55), sections 5, 6 and 7.1, with its constants. It does not distinguish
 * a cache's edge from a TLB's, and its thresholds are absolute times: it exists for comparison. */
#ifndef TLBLAB_DETECT_SEGMENT_H
#define TLBLAB_DETECT_SEGMENT_H

#include "access/series.h"
#include "tlb/detect/boundary.h"
#include <stdint.h>

/* The L1D of most cores since 2008, in bytes. [prior] */
enum { SEGMENT_L1D_ASSUMED = 32 << 10 };

/* The guard: the minimum size of a TLB's boundary in bytes (section 5.1). */
double segment_guard(uint64_t l1d_bytes, uint64_t page_bytes);

/* Adds at most three rows of one curve, in this order: the private-cache knee (cache, level 0, note
 * `private_knee`), the first and the second TLB level; all with the note `no_control`. The curve
 * consists of the groups on the curve of `like` (point_same_curve()), ascending; the size of a
 * point is pages × spacing. A first level found beyond the knee replaces one found from the start.
 * On layouts other than `box` the confidence is low.
 *
 * l1d_bytes: for the guard; 0: SEGMENT_L1D_ASSUMED, about which the caller warns. line_bytes: for
 * the entries of the knee; 0: unknown. */
void segment_detect(const struct series *series, const struct point *like, uint64_t l1d_bytes,
                    uint64_t line_bytes, struct boundaries *found);

#endif
