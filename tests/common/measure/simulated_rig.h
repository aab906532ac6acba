/* simulated_rig.h: samples of a loop whose time is known, by a clock that the test sets.
 *
 *     struct rig *rig = open_rig(1, 0, NULL);
 *     rig_measure(rig, &point, &sample);
 */
#ifndef TLBLAB_SIMULATED_RIG_H
#define TLBLAB_SIMULATED_RIG_H

#include "simulated_clock.h"

#include "measure/clock.c"
#include "measure/measure.c"
#include "named.h"
#include <string.h>

enum { PAGES = 100, READING_NS = 20, SIMULATED_RUNS = 32, NODES_SEEN = 32 };

/* Loads of a lap of PAGES nodes, and laps of 65536 loads. */
enum { LAP = 8200, LAPS = 7 };

static bool can_measure(void)
{
    char why[PLATFORM_WHY_ROOM];
    return platform_can_measure(why);
}

/* The last run that the loop was asked for. */
struct seen {
    uint64_t loads;
    void **start, **end;
    ptrdiff_t nodes[NODES_SEEN]; /* the first that it visited, as bytes from the buffer's begin */
};

static struct {
    double load_ns;
    uint64_t switches[SIMULATED_RUNS]; /* that disturb each run */
    double extra_ns[SIMULATED_RUNS];   /* and make it longer */
    size_t count;
    struct seen at[SIMULATED_RUNS];
} runs;

/* A loop whose time is known. */
static inline uint64_t walk(const struct kernel_work *work, uint64_t end[KERNEL_CHAINS])
{
    struct seen *seen = &runs.at[runs.count];
    void **node = work->start[0];
    seen->loads = work->loads;
    seen->start = node;
    for (uint64_t i = 0; i < work->loads; i++, node = *node)
        if (i < NODES_SEEN)
            seen->nodes[i] = (char *)node - work->memory;
    seen->end = node;
    end[0] = (uint64_t)(uintptr_t)node;
    simulated.now_ns += (double)work->loads * runs.load_ns + runs.extra_ns[runs.count];
    simulated.process_s += 1;
    simulated.counts.faults += 2;
    simulated.counts.migrations += 1;
    simulated.counts.switches += runs.switches[runs.count];
    runs.count += runs.count + 1 < SIMULATED_RUNS;
    return work->loads;
}

/* The lab's: no chain, and a sum. */
static inline uint64_t add_up(const struct kernel_work *work, uint64_t end[KERNEL_CHAINS])
{
    runs.at[runs.count].loads = work->loads;
    runs.count += runs.count + 1 < SIMULATED_RUNS;
    end[0] = 4711;
    simulated.now_ns += (double)work->loads;
    simulated.process_s += 0.25;
    return work->loads;
}

static const struct kernel walking = {
    .name = "walking", .chases = true, .node_bytes = 8, .run = walk};
static const struct kernel adding = {.name = "adding", .node_bytes = 8, .run = add_up};
static const struct kernel drawing = {.name = "drawing", .chases = true, .draws = true};

static inline struct point point_like(int layout, const struct kernel *kernel, uint64_t pages)
{
    uint64_t page = platform_page_bytes();
    struct point point = point_of(layouts[layout].name, pages, layout == LAYOUT_PAGE ? page : 64);
    point.page_bytes = page;
    point.kernel = kernel;
    return point;
}

static inline struct rig *open_rig(uint64_t seed, uint64_t loads, const struct mistake *mistake)
{
    struct rig_options options = {
        .mistake = mistake, .memory = {.seed = seed, .line_bytes = 64}, .loads = loads};
    memset(&simulated, 0, sizeof simulated);
    memset(&runs, 0, sizeof runs);
    simulated.reading_ns = READING_NS;
    runs.load_ns = 1;
    return rig_open(&options);
}

/* One sample of 100 nodes, always at the same places, and the runs it took. */
static inline struct sample sample_of(uint64_t seed, uint64_t loads, uint64_t number)
{
    struct point point = point_like(LAYOUT_PACKED, &walking, PAGES);
    struct sample sample;
    struct rig *rig = open_rig(seed, loads, NULL);
    point.sample = number;
    rig_measure(rig, &point, &sample);
    rig_close(rig);
    return sample;
}

#endif
