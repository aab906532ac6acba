/* options.h: what a plan is to tell, and within what bounds. */
#ifndef TLBLAB_PLAN_OPTIONS_H
#define TLBLAB_PLAN_OPTIONS_H

#include "access/kernel.h"
#include "access/layout.h"
#include "base/range.h"
#include "plan/density.h"
#include <stdint.h>

enum plan_kind {
    PLAN_TLB,        /* page and packed: coarse, then refined around each transition */
    PLAN_GEOMETRY,   /* that, and pages far apart and of one set: plan/geometry.h */
    PLAN_COALESCING, /* PLAN_TLB on two backings */
    PLAN_CACHES,     /* plan/caches.h */
    PLAN_LINE,       /* plan/line.h */
    PLAN_WALK,       /* PLAN_TLB's curve with pages as far apart as each table of the page table */
    PLAN_GRID,       /* every layout at every size, a number of samples each */
    PLAN_DENSITY     /* the whitepaper's schedule: density.h */
};

/* What `--preset NAME` stands for. */
struct preset {
    const char *name;
    const char *help;
    enum plan_kind kind;
    const struct kernel *kernel;
    uint64_t least, most; /* nodes of the shortest and the longest chain where none are asked for */
};

/* The rows of the table. */
enum {
    PRESET_TLB,
    PRESET_GEOMETRY,
    PRESET_COALESCING,
    PRESET_ITLB,
    PRESET_CACHES,
    PRESET_LINE,
    PRESET_WALK
};

extern const struct preset presets[]; /* ends with a NULL name; the first is the default */

enum { PLAN_LAYOUTS_MOST = 8 }; /* [bound] */

struct plan_options {
    enum plan_kind kind;
    struct range pages; /* TLB: the first and last value bound the plan; GRID: the sizes */
    const struct layout *layouts[PLAN_LAYOUTS_MOST]; /* GRID; ends with NULL */
    const struct kernel *kernel;
    const struct backing *backing;
    uint64_t spacing; /* of page and line, 0 for their defaults; packed always has line_bytes */
    uint64_t page_bytes, line_bytes;
    uint64_t base_page_bytes; /* less than page_bytes where that is a huge page */
    uint64_t address_bytes;   /* of address space, for pages far apart */
    uint64_t samples;         /* at each point; 0: as many as the data ask for */
    struct density_options density;
};

/* What `sweep` and `simulate` measure for by default, on a machine with such pages and lines. */
struct plan_options plan_defaults(uint64_t page_bytes, uint64_t line_bytes);

/* Sets what the preset stands for: kind, kernel and bounds. */
void plan_preset(struct plan_options *options, const struct preset *preset);

/* The plan of `--preset NAME --page-size SIZE` (NULL, 0: the defaults) for a machine with such base
 * pages and lines. A larger page is a huge one. Dies with a usage error for a size that no page
 * has. */
struct plan_options option_plan(const struct preset *preset, uint64_t page_size,
                                uint64_t base_page_bytes, uint64_t line_bytes);

/* Prints the table of presets, for --help. */
void option_print_presets(void);

#endif
