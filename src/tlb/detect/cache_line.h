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
    uint64_t fetched;           /* bytes that are fetched together; 0: unknown */
    size_t beyond;              /* number of chains beyond the second cache level */
    double nodes;               /* of the shortest chain that shows the line */
    double plateau_ns, step_ns; /* of a load there: both nodes on one line; two lines cost more */
    int signs;
    const char *why; /* the line is unknown; else NULL */
};

/* Finds both from the pairs of a sorted series. The second node of a pair hits when it lies on the
 * line of the first, and misses otherwise. So the time of a load in a chain that exceeds a cache
 * has two values, one for small and one for large spacings. The line is the smallest of the large
 * spacings. The minimum of the samples counts.
 *
 * A prefetcher that fetches lines in pairs (on x86 the adjacent-line prefetcher, which fetches into
 * the second level) has no effect while the second level holds the chain. So the line is that of
 * the shortest chains with two values, at two neighbouring sizes at least. Chains beyond the second
 * level take seven times the time of a hit. Their smallest large spacing is the size that is
 * fetched together. Longer lines of a later level look the same. Line and fetch size cannot be
 * distinguished when only chains beyond the second level have two values. */
struct cache_line cache_line_of(const struct series *series);

/* Adds a row (structure `line`) when the line is known: bytes_min and bytes_max are its size.
 * Notes: `fetched_singly`, `fetched_in_pairs`, `fetched_bytes=N` for more, or `fetch_unknown` when
 * no chain exceeds the second level or those chains disagree. */
void cache_line_detect(const struct series *series, struct boundaries *found);

#endif
