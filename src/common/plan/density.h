/* density.h: the measuring schedule of the whitepaper "TLB Analysis" of macOS-memory-benchmark
 * (0.55), sections 3.3 and 4: windows of layout `box` over a large buffer, a fixed grid, a fixed
 * number of samples, one refinement. A pure function of the samples. */
#ifndef TLBLAB_PLAN_DENSITY_H
#define TLBLAB_PLAN_DENSITY_H

#include "access/point.h"
#include "access/series.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum density {
    DENSITY_LOW,    /* 15 windows */
    DENSITY_MEDIUM, /* 15 windows, then refinement */
    DENSITY_HIGH    /* 29 windows, then refinement */
};

/* Its defaults. [tuned: whitepaper] */
enum { DENSITY_STRIDE = 256, DENSITY_SAMPLES = 30, DENSITY_LOADS = 25000000 };

/* The 29 windows and the start, where it is none of them. [bound] */
enum { DENSITY_GRID_MOST = 30 };

struct density_options {
    enum density density;
    uint64_t stride;       /* bytes between nodes */
    uint64_t buffer_bytes; /* no window is larger */
    uint64_t page_bytes;   /* of the memory, for the points and for the guard of segment.h */
    uint64_t l1d_bytes;    /* for that guard; 0: unknown */
    uint64_t samples;      /* at each point */
    enum chain_mode chain;
};

/* Their names, in the same order; ends with a NULL name. */
struct density_name {
    const char *name;
};
extern const struct density_name densities[];

/* False when the buffer holds fewer than two nodes: refuse to measure. */
bool density_possible(const struct density_options *options);

/* The windows of the first passes in bytes, ascending: the grid from max(16 KiB, 2 × stride) to the
 * buffer's size, each rounded down to a multiple of the stride. Returns their number. */
size_t density_grid(const struct density_options *options, uint64_t windows[DENSITY_GRID_MOST]);

/* The samples still missing, in the order of taking, in *points (to be freed), and their number: at
 * first the grid, with the 512 MiB comparison point where the buffer allows it, pass after pass;
 * when that is complete the refinement around what segment_detect() finds on the grid; then 0. */
size_t density_next(const struct density_options *options, const struct series *series,
                    struct point **points);

#endif
