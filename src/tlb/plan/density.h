/* density.h: the measuring schedule of the whitepaper "TLB Analysis" of macOS-memory-benchmark
 * (0.55), sections 3.3 and 4: windows of layout `box` over a large buffer, a fixed grid, a fixed
 * number of samples, one refinement. A pure function of the samples. */
#ifndef TLBLAB_PLAN_DENSITY_H
#define TLBLAB_PLAN_DENSITY_H

#include "access/point.h"
#include <stdbool.h>
#include <stdint.h>

enum density {
    DENSITY_LOW,    /* 15 windows */
    DENSITY_MEDIUM, /* 15 windows, then refinement */
    DENSITY_HIGH    /* 29 windows, then refinement */
};

/* The whitepaper's defaults. [tuned: whitepaper] */
enum { DENSITY_STRIDE = 256, DENSITY_SAMPLES = 30, DENSITY_LOADS = 25000000 };

struct density_options {
    enum density density;
    uint64_t stride;       /* bytes between nodes */
    uint64_t buffer_bytes; /* upper bound of the windows */
    uint64_t page_bytes;   /* for the points and for the guard of segment.h */
    uint64_t l1d_bytes;    /* for that guard; 0: unknown */
    uint64_t samples;      /* at each point */
    enum chain_mode chain;
};

/* Names in the order of enum density; NULL after the last. */
extern const char *const densities[];

/* False when the buffer holds fewer than two nodes. */
bool density_possible(const struct density_options *options);

#endif
