/* level_latency.h: the latency of each level of the memory hierarchy, from the samples whose sizes
 * lie between one cache boundary and the next. */
#ifndef TLBLAB_COST_LEVEL_LATENCY_H
#define TLBLAB_COST_LEVEL_LATENCY_H

#include "access/kernel.h"
#include "access/series.h"
#include "table/row.h"
#include "tlb/detect/boundary.h"
#include <stddef.h>
#include <stdint.h>

/* The working sets that a level serves, in bytes, both ends included; `from` is NaN if no sample is
 * that large. */
struct span {
    const char *structure; /* "cache", "memory"; "-" if there is no boundary */
    int level;             /* from 1; 0 for the last */
    double from, to;
};

/* Those of level k of the hierarchy: from where the cache before holds hardly anything to where
 * this one no longer holds all. The level after the last of the caches, which are sorted by size,
 * is memory. */
struct span level_latency_span(const struct boundaries *caches, size_t k);

/* A point on the best curve for the latency of a kernel with this many chains (0 and 1: one), or
 * NULL. The best curve has layout local, else line, packed, page; then the first backing, the
 * smallest page, and the smallest spacing of at least a line. The series is sorted. */
const struct point *level_latency_curve(const struct series *series, const struct kernel *kernel,
                                        uint64_t chains, uint64_t line_bytes);

/* A row of the latencies table, and its columns. */
struct latency_row {
    const char *structure; /* of the span */
    int level;
    double bytes_min, bytes_max; /* the smallest and the largest working set: in layout `page` one
                                    line per page, in others the span of the nodes */
    const struct layout *layout;
    const struct kernel *kernel;
    uint64_t chains; /* from 1 */
    double ns, low_ns, high_ns;
    double cycles, idle_cycles; /* NaN if the clock is unknown */
    double over_read_ns;        /* of a write */
    struct note note;
};
extern const struct column latency_columns[];

/* The row of a level, without cycles and comparison: median and quartiles over the sizes of the
 * span; every size has the same weight, however many samples it has. NaN without sizes. Notes:
 * no_plateau, not_reached: the reason why there is no figure;
 * few_sizes: fewer than three sizes;
 * may_miss_tlb: successive accesses may go to different pages;
 * shared_lines: nodes share lines, so most accesses hit. */
struct latency_row level_latency_of(const struct series *series, const struct point *curve,
                                    struct span span, uint64_t line_bytes);

#endif
