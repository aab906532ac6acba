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

/* The whitepaper's defaults. [tuned: whitepaper] */
enum { DENSITY_STRIDE = 256, DENSITY_SAMPLES = 30, DENSITY_LOADS = 25000000 };

/* The 29 windows, and the start if it is none of them. [bound] */
enum { DENSITY_GRID_MAX = 30 };

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

/* The windows of the first passes in bytes, ascending: the grid from max(16 KiB, 2 × stride) to the
 * buffer's size, each rounded down to a multiple of the stride. Returns their number. */
size_t density_grid(const struct density_options *options, uint64_t windows[DENSITY_GRID_MAX]);

/* Returns the number of missing samples, those of one batch (BATCH_POINTS_MAX), which are in
 * *points in the order of measuring (the caller frees it). First the grid, and the comparison point
 * of 512 MiB if the buffer is that large, pass after pass; then the refinement: around each
 * boundary that segment_detect() finds in the grid, seven windows divide the interval from the
 * window before it to the window after it into eighths; then 0. */
size_t density_next(const struct density_options *options, const struct series *series,
                    struct point **points);

#endif
