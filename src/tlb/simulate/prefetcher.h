/* prefetcher.h: simulated prefetchers, and the time of a probe (access/probe.h) on a machine that
 * has some. */
#ifndef TLBLAB_SIMULATE_PREFETCHER_H
#define TLBLAB_SIMULATE_PREFETCHER_H

#include "access/point.h"
#include <stdint.h>

enum prefetcher_kind {
    PREFETCHER_NEXT_LINE,     /* the lines after each load */
    PREFETCHER_PREVIOUS_LINE, /* the lines before it */
    PREFETCHER_ADJACENT_PAIR, /* the other line of its pair */
    PREFETCHER_REPEATED,      /* the line as far ahead as after earlier loads */
    PREFETCHER_STRIDE_UP,     /* the next lines of a constant stride */
    PREFETCHER_STRIDE_DOWN,
    PREFETCHER_PAGE_CROSSING /* the others also prefetch across a page boundary */
};

struct prefetcher {
    enum prefetcher_kind kind;
    uint64_t touches;      /* loads before it starts */
    uint64_t ahead_bytes;  /* how far from the last load it prefetches */
    uint64_t stride_bytes; /* the largest stride that it follows */
};

enum { PREFETCHERS_MAX = 16 };
struct prefetchers {
    struct prefetcher at[PREFETCHERS_MAX];
    int count;
};

/* Names in a machine description, NULL after the last. */
extern const char *const prefetcher_kinds[];

/* The share of a point's timed probes whose line was loaded or prefetched before, over all groups.
 */
double prefetchers_hit(const struct prefetchers *all, const struct point *point,
                       uint64_t line_bytes);

#endif
