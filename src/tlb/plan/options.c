/* options.c: the purpose of a plan, and its bounds. */
#include "tlb/plan/options.h"
#include "base/choice.h"
#include "base/error.h"

/* Four times the entries of the largest TLB known (4096). [prior] */
enum { TLB_MIN = 4, TLB_MAX = 16384 };

/* Twice the entries of the largest second level for instructions alone (2048): longer chains of
 * jumps take most of the time, and their steps are those of the front end. [prior] */
enum { ITLB_MAX = 4096 };

/* The plateau beyond such a TLB, and the time that page-table entries add to it when they leave a
 * cache. [prior] */
enum { WALK_MAX = 65536 };

/* 4 KiB and 256 MiB of lines of 64 bytes, well above most last-level caches. [prior] */
enum { CACHES_MIN = 64, CACHES_MAX = 4 << 20 };

/* Nodes of layout `pair`: at most 64 MiB of memory with 4 to 8 MiB of lines in use, above most
 * second-level caches. [prior] */
enum { LINE_SPACING_MIN = 256, LINE_SPACING_MAX = 1 << 17 };

/* Groups of touches (access/probe.h). A quarter of them is timed: where half of the probes hit,
 * their mean is known to 4 per cent of the time of a load. [significance] */
enum { PREFETCH_GROUPS = 512 };

/* Default address space of a user program: 47 bits of x86-64, less one bit for alignment.
 * [physics: Intel SDM vol. 1, 3.3.7.1] */
#define ADDRESS_BYTES ((uint64_t)1 << 46)

#define FIXES_POINTS "layout spacing "

const struct preset presets[] = {
    [PRESET_TLB] = {"tlb", "levels of the dTLB, their sizes and what a miss costs", PLAN_TLB,
                    &kernels[KERNEL_READ], TLB_MIN, TLB_MAX, "", .card = true},
    [PRESET_GEOMETRY] = {"geometry", "ways, sets and index of each dTLB level", PLAN_GEOMETRY,
                         &kernels[KERNEL_READ], TLB_MIN, TLB_MAX, .fixes = FIXES_POINTS "kernel "},
    [PRESET_COALESCING] = {"coalescing", "pages that one entry holds when they are contiguous",
                           PLAN_COALESCING, &kernels[KERNEL_READ], TLB_MIN, TLB_MAX,
                           .fixes = FIXES_POINTS "kernel backing page-size "},
    [PRESET_ITLB] = {"itlb", "levels of the instruction TLB", PLAN_TLB, &kernels[KERNEL_CODE],
                     TLB_MIN, ITLB_MAX, .fixes = FIXES_POINTS "kernel "},
    [PRESET_CACHES] = {"caches", "sizes of the caches", PLAN_CACHES, &kernels[KERNEL_READ],
                       CACHES_MIN, CACHES_MAX, FIXES_POINTS, .data_kernels = true, .card = true},
    [PRESET_LINE] = {"line", "the line of the caches, and ways and sets of the first", PLAN_LINE,
                     &kernels[KERNEL_READ], LINE_SPACING_MIN, LINE_SPACING_MAX,
                     .fixes = FIXES_POINTS "kernel "},
    [PRESET_WALK] = {"walk", "what a walk costs at each level of the page table", PLAN_WALK,
                     &kernels[KERNEL_READ], TLB_MIN, WALK_MAX, .fixes = FIXES_POINTS "kernel "},
    [PRESET_PREFETCH] = {"prefetch", "which prefetchers show, and how far they run ahead",
                         PLAN_PREFETCH, &kernels[KERNEL_PROBE], PREFETCH_GROUPS, PREFETCH_GROUPS,
                         .fixes = FIXES_POINTS "kernel "},
    {0},
};

struct plan_options plan_defaults(uint64_t page_bytes, uint64_t line_bytes)
{
    struct plan_options o = {.backing = &backings[BACKING_SCATTERED],
                             .spacing = page_bytes,
                             .page_bytes = page_bytes,
                             .base_page_bytes = page_bytes,
                             .line_bytes = line_bytes,
                             .address_bytes = ADDRESS_BYTES};
    o.pages.values = allocate(2, sizeof *o.pages.values);
    o.pages.count = 2;
    plan_preset(&o, &presets[PRESET_TLB]);
    return o;
}

void plan_preset(struct plan_options *options, const struct preset *preset)
{
    options->kind = preset->kind;
    options->kernel = preset->kernel;
    options->pages.values[0] = preset->least;
    options->pages.values[1] = preset->most;
}

struct plan_options option_plan(const struct preset *preset, uint64_t page_size,
                                uint64_t base_page_bytes, uint64_t line_bytes)
{
    struct plan_options plan = plan_defaults(page_size > 0 ? page_size : base_page_bytes,
                                             line_bytes);
    if (preset != NULL)
        plan_preset(&plan, preset);
    plan.base_page_bytes = base_page_bytes;
    option_check_page(page_size, base_page_bytes);
    if (plan.page_bytes > base_page_bytes)
        plan.backing = &backings[BACKING_HUGE];
    return plan;
}
