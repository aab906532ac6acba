/* options.h: the plans, what each is for, and its bounds. */
#ifndef TLBLAB_PLAN_OPTIONS_H
#define TLBLAB_PLAN_OPTIONS_H

#include "access/kernel.h"
#include "access/layout.h"
#include "access/point_options.h"
#include "base/number.h"
#include <stdbool.h>
#include <stdint.h>

struct batch;   /* batch.h */
struct answers; /* geometry/answers.h */

/* A plan, and a value of --preset. Its questions (questions.h) are asked until answers are likely;
 * then it requests the points of `curves`; then questions are asked until they are certain, and it
 * requests the points of `last`. NULL: there are none. */
struct preset {
    const char *name;
    const char *help;
    const struct kernel *kernel;
    uint64_t least, most; /* default nodes of the shortest and the longest chain */
    const char *fixes;    /* options that it excludes, each followed by a blank */
    bool data_kernels;    /* it works with any kernel that chases data */
    void (*asks)(struct answers *answers, const struct batch *batch);
    void (*curves)(struct batch *batch); /* batch.h */
    void (*last)(struct batch *batch);
    unsigned columns; /* optional ones (point.h) */
    double budget_s;  /* default of a sweep at its default sizes; 0: none */
};

/* Rows of the table. The last two have no name: --layout and --density choose them. */
enum plan_kind {
    PLAN_TLB,
    PLAN_GEOMETRY,
    PLAN_COALESCING,
    PLAN_ITLB,
    PLAN_CACHES,
    PLAN_LINE,
    PLAN_WALK,
    PLAN_PREFETCH,
    PLAN_GRID, /* every layout at every size */
    PLAN_DENSITY
};

extern const struct preset presets[]; /* the first is the default */

/* The measuring schedule of the whitepaper "TLB Analysis" of macOS-memory-benchmark (0.55),
 * sections 3.3 and 4: windows of layout `box` over a large buffer, a fixed grid, a fixed number of
 * samples, one refinement. */
struct density {
    const char *name;
    const unsigned *windows_kib; /* of the grid, 0 after the last */
    bool refines;
};
extern const struct density densities[]; /* a NULL name ends it */

/* The whitepaper's defaults. [tuned: whitepaper] */
enum { DENSITY_STRIDE = 256, DENSITY_SAMPLES = 30, DENSITY_LOADS = 25000000 };

struct plan_options {
    enum plan_kind kind;
    uint64_t least, most;                         /* nodes of the shortest and the longest chain */
    struct range sizes;                           /* GRID: nodes of all chains */
    const struct layout *layouts[OPTION_LAYOUTS]; /* GRID; ends with NULL */
    const struct kernel *kernel;
    const struct backing *backing;
    uint64_t
        spacing; /* of page, line and box, 0 for their defaults; packed always has line_bytes */
    uint64_t page_bytes, line_bytes;
    uint64_t base_page_bytes;      /* less than page_bytes when that is a huge page */
    uint64_t address_bytes;        /* of address space, for large spacings */
    uint64_t samples;              /* at each point; 0: until the error is small enough */
    const struct density *density; /* DENSITY, and the rest as well */
    enum chain_mode chain;
    uint64_t buffer_bytes; /* upper bound of the windows; at least two nodes */
    uint64_t l1d_bytes;    /* for the guard of segment.h; 0: unknown */
};

/* The plan of `--preset NAME --page-size SIZE` (NULL, 0: the defaults) for a machine with these
 * base pages and lines. A page above the base page is a huge one. Dies with a usage error for an
 * impossible page size. */
struct plan_options option_plan(const struct preset *preset, uint64_t page_size,
                                uint64_t base_page_bytes, uint64_t line_bytes);

#endif
