/* options.c: the plans. */
#include "tlb/plan/options.h"
#include "tlb/plan/batch.h"
#include "tlb/plan/questions.h"

/* Four times the entries of the largest TLB known (4096). [prior] */
enum { TLB_MIN = 4, TLB_MAX = 16384 };

/* Twice the entries of the largest second level for instructions alone (2048): longer chains of
 * jumps take most of the time, and their steps are those of the front end. [prior] */
enum { ITLB_MAX = 4096 };

/* The plateau beyond such a TLB, and the time that page-table entries add to it when they leave a
 * cache. [prior] */
enum { WALK_MAX = 65536 };

/* 4 KiB and 256 MiB of lines of 64 bytes, well above most last-level caches, which take long when
 * other programs run. [prior] */
enum { CACHES_MIN = 64, CACHES_MAX = 4 << 20, CACHES_BUDGET_S = 15 };

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
    [PLAN_TLB] = {"tlb", "levels of the dTLB, their sizes and what a miss costs",
                  &kernels[KERNEL_READ], TLB_MIN, TLB_MAX, "", .asks = questions_of_levels,
                  .curves = plan_curves, .columns = SAMPLE_SET},
    [PLAN_GEOMETRY] = {"geometry", "ways, sets and index of each dTLB level", &kernels[KERNEL_READ],
                       TLB_MIN, TLB_MAX, FIXES_POINTS "kernel ", .asks = questions_of_sets,
                       .curves = plan_curves, .last = plan_overload, .columns = SAMPLE_SET},
    [PLAN_COALESCING] = {"coalescing", "pages that one entry holds when they are contiguous",
                         &kernels[KERNEL_READ], TLB_MIN, TLB_MAX,
                         FIXES_POINTS "kernel backing page-size ", .asks = questions_of_levels,
                         .curves = plan_coalescing},
    [PLAN_ITLB] = {"itlb", "levels of the instruction TLB", &kernels[KERNEL_CODE], TLB_MIN,
                   ITLB_MAX, FIXES_POINTS "kernel ", .asks = questions_of_levels,
                   .curves = plan_curves, .columns = SAMPLE_SET},
    [PLAN_CACHES] = {"caches", "sizes of the caches", &kernels[KERNEL_READ], CACHES_MIN, CACHES_MAX,
                     FIXES_POINTS, .data_kernels = true, .curves = plan_caches,
                     .budget_s = CACHES_BUDGET_S},
    [PLAN_LINE] = {"line", "the line of the caches, and ways and sets of the first",
                   &kernels[KERNEL_READ], LINE_SPACING_MIN, LINE_SPACING_MAX,
                   FIXES_POINTS "kernel ", .asks = questions_of_cache, .curves = plan_line},
    [PLAN_WALK] = {"walk", "what a walk costs at each level of the page table",
                   &kernels[KERNEL_READ], TLB_MIN, WALK_MAX, FIXES_POINTS "kernel ",
                   .curves = plan_walk},
    [PLAN_PREFETCH] = {"prefetch", "which prefetchers show, and how far they run ahead",
                       &kernels[KERNEL_PROBE], PREFETCH_GROUPS, PREFETCH_GROUPS,
                       FIXES_POINTS "kernel ", .curves = plan_prefetch, .columns = SAMPLE_PROBE},
    [PLAN_GRID] = {.curves = plan_grid},
    [PLAN_DENSITY] = {.curves = plan_density},
};

struct plan_options option_plan(const struct preset *preset, uint64_t page_size,
                                uint64_t base_page_bytes, uint64_t line_bytes)
{
    uint64_t page_bytes = page_size > 0 ? page_size : base_page_bytes;
    preset = preset != NULL ? preset : presets;
    option_check_page(page_size, base_page_bytes);
    return (struct plan_options){
        .kind = (enum plan_kind)(preset - presets),
        .least = preset->least,
        .most = preset->most,
        .kernel = preset->kernel,
        .backing = &backings[page_bytes > base_page_bytes ? BACKING_HUGE : BACKING_SCATTERED],
        .spacing = page_bytes,
        .page_bytes = page_bytes,
        .base_page_bytes = base_page_bytes,
        .line_bytes = line_bytes,
        .address_bytes = ADDRESS_BYTES};
}
