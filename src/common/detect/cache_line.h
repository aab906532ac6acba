/* cache_line.h: method `line`: how long a cache's lines are, and how much is fetched together, from
 * pairs of nodes (layout `pair`). */
#ifndef TLBLAB_DETECT_CACHE_LINE_H
#define TLBLAB_DETECT_CACHE_LINE_H

#include "access/series.h"
#include "detect/boundary.h"
#include <stddef.h>
#include <stdint.h>

struct cache_line {
    uint64_t bytes;             /* 0: cannot tell */
    uint64_t fetched;           /* bytes that memory gives at once; 0: cannot tell */
    size_t beyond;              /* sizes of chains beyond the second level */
    double nodes;               /* of the shortest chain that tells the line */
    double plateau_ns, step_ns; /* of a load there, with mates on one line; more with them on two */
    enum confidence confidence;
    const char *why; /* there is no answer; else NULL */
};

/* Tells both from the pairs of the series, which is sorted. The second node of a pair costs a hit
 * while it lies on the line of the first, and a miss of its own where it does not. So in chains
 * that a cache does not hold the time of a load has two values, one for small and one for large
 * spacings: the smallest of the large ones is the line. The quickest sample of each counts.
 *
 * A prefetcher that fetches lines in pairs (on x86 that of the adjacent line, from beyond the
 * second level into it) does not show while the second level holds the chain, and there the line is
 * told: by the shortest chains that have two values, of two sizes at least. In chains that take
 * seven times as long as a hit, beyond the second level, the smallest of the large spacings is what
 * is fetched together. Lines of a later level that are longer than the first one's look the same.
 * Where a chain has two values beyond the second level alone, the two cannot be told apart. */
struct cache_line cache_line_of(const struct series *series);

/* Adds a row (structure `line`) where the line is told: bytes_min and bytes_max are its size.
 * Notes: `fetched_singly`, `fetched_in_pairs`, `fetched_bytes=N` for more, or `fetch_unknown` where
 * no chain goes beyond the second level, or where those do not agree. */
void cache_line_detect(const struct series *series, struct boundaries *found);

#endif
