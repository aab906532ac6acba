/* watch.c: a short chase now and then, within a budget. */
#include "trace/saving/watch.h"
#include "access/chain.h"
#include "access/kernel.h"
#include "base/error.h"
#include "platform.h"
#include <math.h>
#include <stdlib.h>

/* Beyond a first level, and beyond a second one. [prior] */
const uint64_t watch_pages[WATCH_SIZES] = {1024, 8192};

#define MEMBER(name) offsetof(struct watch_row, name)
const struct column watch_columns[] = {
    COLUMN(NUMBER, "t_s", MEMBER(t_s), .per_unit = 1000),
    COLUMN(COUNT, "pages", MEMBER(pages)),
    COLUMN(NUMBER, "page_ns", MEMBER(page_ns), .per_unit = 1000),
    COLUMN(NUMBER, "packed_ns", MEMBER(packed_ns), .per_unit = 1000),
    COLUMN(NUMBER, "cost_ns", MEMBER(cost_ns), .per_unit = 1000),
    COLUMN(NUMBER, "cpu_s", MEMBER(cpu_s), .per_unit = 1e6),
    {0},
};

/* Measures a size, if what it took the last time is left of the budget. */
static void put_size(const struct watch_parts *parts, int size, double t_s, double allowed_s,
                     double *took_s)
{
    struct watch_row row;
    row_clear(watch_columns, &row);
    row.t_s = t_s;
    row.pages = watch_pages[size];
    double before = parts->cpu_s(parts->self);
    if (before + *took_s <= allowed_s) {
        row.page_ns = parts->chase_ns(parts->self, size, false);
        row.packed_ns = parts->chase_ns(parts->self, size, true);
        row.cost_ns = row.page_ns - row.packed_ns;
        *took_s = parts->cpu_s(parts->self) - before;
    }
    row.cpu_s = parts->cpu_s(parts->self);
    table_put_row(watch_columns, 0, &row);
}

/* A period that passed while the host slept has no row. */
void watch_run(const struct watch_parts *parts, const struct watch_options *options)
{
    double begin = parts->now_s(parts->self), took_s[WATCH_SIZES] = {0};
    uint64_t period = 0;
    while (options->periods == 0 || period < options->periods) {
        double t_s = parts->now_s(parts->self) - begin;
        for (int size = 0; size < WATCH_SIZES; size++)
            put_size(parts, size, t_s, options->share * (t_s + options->period_s), &took_s[size]);
        flush_output();
        t_s = parts->now_s(parts->self) - begin;
        period = (uint64_t)fmax((double)period + 1, floor(t_s / options->period_s) + 1);
        if (options->periods == 0 || period < options->periods)
            parts->wait_s(parts->self, (double)period * options->period_s - t_s);
    }
}

/* ---- this machine ---- */

/* A lap is short, so that other programs leave some alone: the fastest counts. The first round of
 * the chain fills TLBs and caches. [prior] */
enum { LINE = 64, LAP = 1024, ROUNDS = 4 };

struct here {
    char *pages, *packed;
    void **start[WATCH_SIZES][2]; /* of the chain: on pages, packed */
};

static double now_s(void *self)
{
    (void)self;
    return (double)platform_now_ns() / 1e9;
}

static double cpu_s(void *self)
{
    (void)self;
    return platform_process_seconds();
}

static void wait_s(void *self, double seconds)
{
    (void)self;
    platform_sleep(fmax(seconds, 0));
}

static double chase_ns(void *self, int size, bool packed)
{
    struct here *here = self;
    struct kernel_work work = {.start = {here->start[size][packed]}, .loads = LAP};
    uint64_t end[KERNEL_CHAINS], laps = watch_pages[size] / LAP;
    double least = INFINITY;
    for (uint64_t lap = 0; lap < laps * (1 + ROUNDS); lap++) {
        uint64_t begin = platform_now_ns();
        uint64_t loads = kernels[KERNEL_READ].run(&work, end);
        double ns = (double)(int64_t)(platform_now_ns() - begin) / (double)loads;
        work.start[0] = (void **)(uintptr_t)end[0];
        if (lap >= laps && ns > 0)
            least = fmin(least, ns);
    }
    return isinf(least) ? NAN : least;
}

static char *map(uint64_t bytes)
{
    struct platform_outcome result;
    char *memory = platform_map(bytes, platform_page_bytes(), &result);
    if (memory == NULL)
        die("the system provides no %.0f MiB of address space: %s", (double)bytes / 0x1p20,
            result.why);
    return memory;
}

/* Links the nodes of a size, each size by its own word of the line. Nodes on pages are staggered,
 * so that they spread over the sets of the caches. */
static void link_size(struct here *here, int size, const uint32_t *next)
{
    uint64_t n = watch_pages[size], page = platform_page_bytes();
    for (int packed = 0; packed < 2; packed++)
        for (uint64_t i = 0; i < n; i++) {
            void **node[2];
            for (int end = 0; end < 2; end++) {
                uint64_t k = end == 0 ? i : next[i];
                char *at = packed ? here->packed + k * LINE
                                  : here->pages + k * page + k % (page / LINE) * LINE;
                node[end] = (void **)(void *)at + size;
            }
            *node[0] = node[1];
            here->start[size][packed] = node[0];
        }
}

void watch_here(const struct watch_options *options, uint64_t seed)
{
    struct here here;
    struct random random;
    char why[PLATFORM_WHY_ROOM];
    uint64_t most = watch_pages[WATCH_SIZES - 1], bytes = most * platform_page_bytes();
    if (!platform_can_measure(why))
        die("cannot measure here: %s", why);
    here.pages = map(bytes);
    here.packed = map(most * LINE);
    uint32_t *next = allocate(most, sizeof *next);
    for (int size = WATCH_SIZES - 1; size >= 0; size--) {
        random_seed(&random, seed, (uint64_t)size);
        chain_cycle(next, watch_pages[size], &random);
        link_size(&here, size, next);
    }
    free(next);
    const struct watch_parts parts = {&here, now_s, cpu_s, wait_s, chase_ns};
    watch_run(&parts, options);
    platform_unmap(here.pages, bytes);
    platform_unmap(here.packed, most * LINE);
}
