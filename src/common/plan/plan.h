/* plan.h: samples in, the points still worth measuring out. The plan is a function of the samples
 * alone: the same samples give the same points, whoever measured them, and nothing that the machine
 * claims of itself enters. */
#ifndef TLBLAB_PLAN_PLAN_H
#define TLBLAB_PLAN_PLAN_H

#include "access/point.h"
#include "access/series.h"
#include "base/args.h"
#include "plan/density.h"
#include <stdbool.h>
#include <stddef.h>
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

/* The defaults of `sweep` and `simulate` for a machine with such pages and lines. */
struct plan_options plan_defaults(uint64_t page_bytes, uint64_t line_bytes);

/* Sets kind and kernel; false for a name that is no preset. */
bool plan_preset(struct plan_options *options, const char *name);

/* The next batch of points in the order of taking, in *points (to be freed), and their number; 0
 * when enough is known. Sorts the series. */
size_t plan_next(const struct plan_options *options, struct series *series, struct point **points);

/* PLAN_TLB alone, with which other plans begin: requests for the curve of `page` and `packed`,
 * refined around its knees. */
struct batch;
void plan_tlb(struct batch *batch);

#endif
