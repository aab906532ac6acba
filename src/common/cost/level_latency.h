/* level_latency.h: how long an access takes in each level of the memory hierarchy: the samples of
 * the sizes that lie between one cache boundary and the next. */
#ifndef TLBLAB_COST_LEVEL_LATENCY_H
#define TLBLAB_COST_LEVEL_LATENCY_H

#include "access/kernel.h"
#include "access/series.h"
#include "detect/boundary.h"
#include "table/row.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Where a cache ends, in bytes: from where on it does not hold all and from where on it holds next
 * to nothing of a working set (NaN where the samples end before that). */
struct edge {
    int level;
    bool joined; /* to the one before: no plateau between them */
    double begins, ends;
};

/* One more edge than that is a level. Sorts by size; returns the number, `room` at most. */
size_t level_latency_edges(const struct boundary *rows, size_t count, struct edge *edges,
                           size_t room);
void level_latency_sort(struct edge *edges, size_t count);

/* Sizes of working sets that one level serves, both ends included; `from` is NaN where no sample
 * gets there. The last level is what lies behind the last edge: the memory, as far as is known. */
struct span {
    const char *structure; /* "cache", "memory"; "-" where there is no edge at all */
    int level;             /* from 1; 0 for the last */
    bool joined;
    double from, to;
};
struct span level_latency_span(const struct edge *edges, size_t count, size_t k);

/* Bytes that the caches have to hold of a point: in layout `page` one line of each page, in others
 * all that the nodes span. */
double level_latency_bytes(const struct point *point, uint64_t line_bytes);

/* A point on the curve that tells the latency of a kernel with so many chains (0 and 1: one), or
 * NULL: of layout local, else line, packed, page, on the first of the backings, of the least page,
 * and at the least spacing of a line or more. */
const struct point *level_latency_curve(const struct series *series, const struct kernel *kernel,
                                        uint64_t chains, uint64_t line_bytes);

/* The latency of a level: median and quartiles over the sizes of the span, each of which counts
 * alike however many samples it has; NaN where there is none. */
struct level_latency {
    double bytes_min, bytes_max; /* the least and the largest size in it */
    double ns, low_ns, high_ns;
    /* no_plateau, not_reached  why there is no figure
     * few_sizes     less than three sizes
     * joined        as detect says of the boundary: the level may be none
     * may_miss_tlb  every access may go to another page than the one before
     * shared_lines  nodes share lines, so that most accesses find a line that is there */
    struct note note;
};
struct level_latency level_latency_of(const struct series *series, const struct point *curve,
                                      struct span span, uint64_t line_bytes);

/* A row of the latencies table, and its columns. */
struct latency_row {
    const char *structure; /* of the span */
    int level;
    double bytes_min, bytes_max;
    const struct layout *layout;
    const struct kernel *kernel;
    uint64_t chains; /* from 1 */
    double ns, low_ns, high_ns;
    double cycles, idle_cycles; /* NaN where the clock is not known */
    double over_read_ns;        /* of a write */
    struct note note;
};
extern const struct column latency_columns[];

#endif
