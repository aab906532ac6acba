/* segment.h: boundaries by steps over a baseline, the method of the whitepaper "TLB Analysis" of
 * macOS-memory-benchmark (0.55), sections 5, 6 and 7.1, constants and all. It cannot tell a cache's
 * edge from a TLB's, and its thresholds are absolute nanoseconds: it is here to be compared with.
 */
#ifndef TLBLAB_DETECT_SEGMENT_H
#define TLBLAB_DETECT_SEGMENT_H

#include "access/series.h"
#include "detect/boundary.h"
#include <stdint.h>

/* Bytes, where nobody says: of most cores since 2008. [prior] */
enum { SEGMENT_L1D_ASSUMED = 32 << 10 };

struct segment_options {
    uint64_t l1d_bytes;  /* for the guard; 0: unknown, SEGMENT_L1D_ASSUMED is taken (do warn) */
    uint64_t line_bytes; /* for the entries of the private-cache knee; 0: unknown */
};

/* The least size of a TLB's boundary in bytes (section 5.1). */
double segment_guard(uint64_t l1d_bytes, uint64_t page_bytes);

/* Adds what is found on one curve of the series, at most three rows in this order: the
 * private-cache knee (cache, level 0, note `private_knee`), the first and the second TLB level.
 * The curve consists of the groups that lie on `like`'s (point_same_curve()), in any order; the
 * size of a point is pages × spacing. Where the scan behind the knee and the one from the start
 * both find a first level, the one behind the knee stands. */
void segment_detect(const struct series *series, const struct point *like,
                    const struct segment_options *options, struct boundaries *found);

#endif
