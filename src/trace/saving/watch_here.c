/* watch_here.c: this machine's clock, and chases in memory that is held all the time.
 *
 * They run wherever the system puts them, as the programs do whose costs are of interest. */
#include "trace/saving/watch_here.h"
#include "access/chain.h"
#include "access/kernel.h"
#include "base/error.h"
#include "platform.h"
#include <math.h>
#include <stdlib.h>

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
