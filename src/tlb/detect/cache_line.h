/* cache_line.h: method `line`: the line size of the caches, and how many bytes are fetched
 * together, from pairs of nodes (layout `pair`). */
#ifndef TLBLAB_DETECT_CACHE_LINE_H
#define TLBLAB_DETECT_CACHE_LINE_H

#include "access/series.h"
#include "tlb/detect/boundary.h"
#include <stddef.h>
#include <stdint.h>

struct cache_line {
    uint64_t bytes;             /* 0: unknown */
    uint64_t fetched;           /* bytes fetched together; 0: unknown */
    size_t beyond;              /* number of chains beyond the second cache level */
    double nodes;               /* of the shortest chain that shows the line */
    double plateau_ns, step_ns; /* of a load there: both nodes on one line; two lines take longer */
    int criteria;
    const char *why; /* why the line is unknown; else NULL */
};

/* Finds both from the pairs of a sorted series. The second node of a pair hits if it is on the line
 * of the first, and misses otherwise, so the time of a load in a chain that exceeds a cache takes
 * two values, one for small and one for large spacings. The line is the smallest of the large
 * spacings. Each value is the minimum of its samples.
 *
 * A prefetcher that fetches lines in pairs (on x86 the adjacent-line prefetcher, which fetches into
 * the second level) has no effect while the second level holds the chain. So the line size comes
 * from the shortest chains with two values, at two or more neighbouring sizes. Loads of chains
 * beyond the second level take at least seven times as long as a hit. The smallest large spacing of
 * such chains is the number of bytes fetched together. Longer lines at a later level look the same.
 * Line and fetch size cannot be distinguished if only chains beyond the second level have two
 * values. */
struct cache_line cache_line_of(const struct series *series);

/* Adds a row (structure `line`) if the line size is known; bytes_min and bytes_max are both that
 * size. Notes: `fetched_singly`, `fetched_in_pairs`, `fetched_bytes=N` for more, or `fetch_unknown`
 * if no chain exceeds the second level or those chains disagree. */
void cache_line_detect(const struct series *series, struct boundaries *found);

#endif
