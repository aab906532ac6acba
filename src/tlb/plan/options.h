/* options.h: the purpose of a plan, and its bounds. */
#ifndef TLBLAB_PLAN_OPTIONS_H
#define TLBLAB_PLAN_OPTIONS_H

#include "access/kernel.h"
#include "access/layout.h"
#include "access/point_options.h"
#include "base/range.h"
#include "tlb/plan/density.h"
#include <stdbool.h>
#include <stdint.h>

/* plan/presets.h describes the requests of each but PLAN_GRID, plan/density.h the last. */
enum plan_kind {
    PLAN_TLB,
    PLAN_GEOMETRY,
    PLAN_COALESCING,
    PLAN_CACHES,
    PLAN_LINE,
    PLAN_PREFETCH,
    PLAN_WALK,
    PLAN_GRID, /* every layout at every size */
    PLAN_DENSITY
};

/* A value of --preset. */
struct preset {
    const char *name;
    const char *help;
    enum plan_kind kind;
    const struct kernel *kernel;
    uint64_t least, most; /* default nodes of the shortest and the longest chain */
    const char *fixes;    /* options that it excludes, each followed by a blank */
    bool data_kernels;    /* it works with any kernel that chases data */
    bool card;            /* a graphics card has it too */
};

/* Row numbers of the table. */
enum {
    PRESET_TLB,
    PRESET_GEOMETRY,
    PRESET_COALESCING,
    PRESET_ITLB,
    PRESET_CACHES,
    PRESET_LINE,
    PRESET_WALK,
    PRESET_PREFETCH
};

extern const struct preset presets[]; /* ends with a NULL name; the first is the default */

struct plan_options {
    enum plan_kind kind;
    struct range pages; /* GRID: all values; else the first and the last bound the nodes */
    const struct layout *layouts[OPTION_LAYOUTS]; /* GRID; ends with NULL */
    const struct kernel *kernel;
    const struct backing *backing;
    uint64_t spacing; /* of page and line, 0 for their defaults; packed always has line_bytes */
    uint64_t page_bytes, line_bytes;
    uint64_t base_page_bytes; /* less than page_bytes when that is a huge page */
    uint64_t address_bytes;   /* of address space, for large spacings */
    uint64_t samples;         /* at each point; 0: until the error is small enough */
    struct density_options density;
};

/* The defaults of `sweep` and `simulate` on a machine with these pages and lines. */
struct plan_options plan_defaults(uint64_t page_bytes, uint64_t line_bytes);

/* Sets the kind, the kernel and the bounds of a preset. */
void plan_preset(struct plan_options *options, const struct preset *preset);

/* The plan of `--preset NAME --page-size SIZE` (NULL, 0: the defaults) for a machine with these
 * base pages and lines. A page above the base page is a huge one. Dies with a usage error for an
 * impossible page size. */
struct plan_options option_plan(const struct preset *preset, uint64_t page_size,
                                uint64_t base_page_bytes, uint64_t line_bytes);

#endif
