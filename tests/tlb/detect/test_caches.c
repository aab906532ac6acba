/* test_caches.c: capacities from the shape of each transition, and the plan that measures them.
 *
 *     bin/.obj/plain/tests/tlb/detect/test_caches
 */
#include "access/chain.h"
#include "machine.h"
#include "notes.h"
#include "tap.h"
#include "tlb/detect/caches.h"
#include "tlb/detect/derivative.h"
#include "tlb/plan/plan.h"
#include "tlb/plan/presets.h"
#include <stdlib.h>

static const struct machine machine = {.load_ns = 1,
                                       .cache = {{512, 8, 3, MISS_EVENLY},
                                                 {8192, 8, 8, MISS_BY_CHANCE},
                                                 {262144, 16, 68, MISS_BY_CHANCE}}};

static struct boundaries found_on(struct series *series)
{
    struct boundaries found = {0};
    series_sort(series);
    caches_detect(series, derivative_line(series), &found);
    boundaries_judge(&found);
    return found;
}

/* What the preset measures of a machine, at such noise. */
static void measure(struct series *series, struct machine m, double noise)
{
    struct plan_options options = option_plan(&presets[PLAN_CACHES], 0, MACHINE_PAGE, MACHINE_LINE);
    m.noise = noise;
    m.seed = 5;
    series_init(series);
    machine_follow(&m, &options, series);
    for (size_t i = 0; i < series->count; i++) {
        CU_ASSERT_STRING_EQUAL(series->groups[i].point.layout->name, "local");
        CU_ASSERT_EQUAL(series->groups[i].point.spacing, MACHINE_LINE);
    }
    free(options.pages.values);
}

static bool within(double value, double truth, double part)
{
    return fabs(value / truth - 1) <= part;
}

/* Within 5 per cent at 3 per cent noise, whatever the number of ways and however sets fill. */
static void test_capacities(void)
{
    static const int ways[] = {4, 8, 12, 16};
    for (size_t w = 0; w < sizeof ways / sizeof *ways; w++) {
        struct machine m = machine;
        struct series series;
        m.cache[0].entries = 96 * ways[w];
        m.cache[0].ways = m.cache[1].ways = ways[w];
        m.cache[2].ways = ways[3 - w];
        measure(&series, m, 0.03);
        struct boundaries found = found_on(&series);
        CU_ASSERT_EQUAL_FATAL(found.count, 3);
        for (size_t i = 0; i < 3; i++) {
            CU_ASSERT(within(found.at[i].entries, m.cache[i].entries, 0.05));
            CU_ASSERT(found.at[i].entries_min <= found.at[i].entries);
            CU_ASSERT(found.at[i].entries_max >= found.at[i].entries);
            CU_ASSERT_STRING_EQUAL(NOTE(found.at[i].note), i > 0 ? "gradual" : "");
            CU_ASSERT_EQUAL(found.at[i].confidence, i > 0 ? CONFIDENCE_MEDIUM : CONFIDENCE_HIGH);
        }
        series_free(&series);
    }
}

/* A cache of two parts: the rise has two slopes or two transitions without a plateau; a missing
 * third level is no row; memory that is never reached makes the last capacity unknown. */
static void test_odd_machines(void)
{
    static const struct machine stacked = {.load_ns = 1,
                                           .cache = {{512, 8, 3, MISS_EVENLY},
                                                     {8192, 8, 8, MISS_BY_CHANCE},
                                                     {65536, 16, 28, MISS_BY_CHANCE},
                                                     {196608, 16, 40, MISS_BY_CHANCE}}};
    static const struct machine two = {
        .load_ns = 1, .cache = {{2048, 8, 4, MISS_EVENLY}, {196608, 12, 85, MISS_BY_CHANCE}}};
    static const struct machine huge = {.load_ns = 1,
                                        .cache = {{512, 8, 3, MISS_EVENLY},
                                                  {32768, 16, 26, MISS_BY_CHANCE},
                                                  {4 << 20, 16, 90, MISS_BY_CHANCE}}};
    struct series series;
    measure(&series, stacked, 0.01);
    struct boundaries found = found_on(&series);
    const struct boundary *last = &found.at[found.count - 1];
    CU_ASSERT(found.count == 4);
    CU_ASSERT(strstr(NOTE(last->note), "joined") != NULL ||
              strstr(NOTE(last->note), "two_slopes") != NULL);
    CU_ASSERT_EQUAL(last->confidence, CONFIDENCE_LOW);
    series_free(&series);
    measure(&series, two, 0.01);
    CU_ASSERT_EQUAL(found_on(&series).count, 2);
    series_free(&series);
    measure(&series, huge, 0.01);
    found = found_on(&series);
    CU_ASSERT_EQUAL_FATAL(found.count, 3);
    CU_ASSERT(isnan(found.at[2].entries) && isnan(found.at[2].entries_max));
    CU_ASSERT(found.at[2].entries_min > 1 << 20 && found.at[2].entries_min < 4 << 20);
    CU_ASSERT_PTR_NOT_NULL(strstr(NOTE(found.at[2].note), "at_end_of_sweep"));
    series_free(&series);
}

/* Samples of a size that differ by more than a fifth of the step. */
static void test_scattered(void)
{
    static const double luck[] = {0.5, 1.5, 1};
    struct series series;
    measure(&series, machine, 0.01);
    for (size_t i = 0; i < series.count; i++)
        for (size_t k = 0; k < series.groups[i].count; k++)
            if (series.groups[i].point.pages > 150000 && series.groups[i].point.pages < 400000)
                series.groups[i].ns[k] *= luck[k % 3];
    struct boundaries found = found_on(&series);
    series_free(&series);
    CU_ASSERT_FATAL(found.count >= 3);
    CU_ASSERT_PTR_NULL(strstr(NOTE(found.at[1].note), "scattered"));
    CU_ASSERT_PTR_NOT_NULL(strstr(NOTE(found.at[2].note), "scattered"));
}

/* The sizes of one chain, ascending. */
static size_t sizes_of(const struct series *series, double sizes[512], size_t samples[512])
{
    size_t count = 0;
    for (size_t i = 0; i < series->count && count < 512; i++) {
        const struct group *g = &series->groups[i];
        if (g->point.kernel->draws || g->point.chains > 1)
            continue;
        samples[count] = g->count;
        sizes[count++] = (double)g->point.pages;
    }
    return count;
}

/* From 4 KiB to 256 MiB, six sizes an octave to 8 MiB and three beyond, and no sharp edge known
 * less closely than 1.5 per cent. */
static void test_plan(void)
{
    static double sizes[512];
    static size_t samples[512];
    struct series series;
    measure(&series, machine, 0);
    series_sort(&series);
    size_t count = sizes_of(&series, sizes, samples);
    CU_ASSERT_FATAL(count >= 97 - 15);
    CU_ASSERT_EQUAL(sizes[0], (double)presets[PLAN_CACHES].least);
    CU_ASSERT_EQUAL(sizes[count - 1], (double)presets[PLAN_CACHES].most);
    double closest = 2;
    for (size_t i = 1; i < count; i++) {
        double low = sizes[i - 1], ratio = sizes[i] / low;
        CU_ASSERT(ratio < (low < 1 << 17 ? 1.13 : 1.27));
        closest = low > 400 && low < 600 && ratio < closest ? ratio : closest;
        CU_ASSERT(samples[i] >= (sizes[i] <= 1 << 20 ? 2 : 1));
    }
    CU_ASSERT(closest < 1.04);
    series_free(&series);
}

/* The small sizes come first, and the loads drawn anew around the second cache before the long
 * chains: a budget that ends cuts off the last level. */
static void test_order(void)
{
    struct plan_options options = option_plan(&presets[PLAN_CACHES], 0, 4096, MACHINE_LINE);
    struct series series;
    struct point *points;
    size_t count;
    bool drawn = false, early = true;
    series_init(&series);
    while ((count = plan_next(&options, &series, &points)) > 0) {
        for (size_t i = 0; i < count; i++) {
            struct sample s = {.point = points[i], .ns = machine_ns(&machine, &points[i])};
            early = early && (points[i].pages <= 1 << 17 || drawn);
            series_add(&series, &s);
        }
        for (size_t i = 0; i < count; i++)
            drawn = drawn || points[i].kernel->draws;
        free(points);
    }
    CU_ASSERT(drawn && early);
    free(points);
    free(options.pages.values);
    series_free(&series);
}

/* The last level has a name while several chains say the same, and none where they say something
 * else or were not measured. */
static void test_witness(void)
{
    struct machine other = machine;
    other.cache[2].entries = 1 << 20;
    for (int turn = 0; turn < 3; turn++) {
        struct series series, told;
        measure(&series, machine, 0.01);
        series_init(&told);
        for (size_t i = 0; i < series.count; i++) {
            const struct group *g = &series.groups[i];
            struct sample s = {.point = g->point};
            for (size_t k = 0; k < g->count && (turn < 2 || g->point.chains <= 1); k++) {
                s.point.sample = k;
                s.ns = turn == 1 && g->point.chains > 1 ? machine_ns(&other, &s.point) : g->ns[k];
                series_add(&told, &s);
            }
        }
        struct boundaries found = found_on(&told);
        CU_ASSERT_EQUAL_FATAL(found.count, 3);
        const struct boundary *last = &found.at[2];
        CU_ASSERT_EQUAL(isnan(last->entries), turn > 0);
        CU_ASSERT_EQUAL(strstr(NOTE(last->note), "cannot_tell") != NULL, turn > 0);
        CU_ASSERT(last->entries_min < 262144 && last->entries_max > 262144);
        CU_ASSERT_FALSE(isnan(found.at[1].entries));
        series_free(&series);
        series_free(&told);
    }
}

/* Long chains have a sample or two, and somebody else's work makes one of them three times as long:
 * that is no level, wherever it is, and the last size is none either. */
static void test_disturbed(void)
{
    struct series series;
    measure(&series, machine, 0.01);
    series_sort(&series);
    size_t tried = 0;
    for (size_t i = 0; i < series.count; i++) {
        struct group *g = &series.groups[i];
        if (g->point.kernel->draws || g->point.chains > 1 || g->count >= 3)
            continue;
        for (size_t k = 0; k < g->count; k++)
            g->ns[k] *= 3;
        struct boundaries found = found_on(&series);
        for (size_t k = 0; k < g->count; k++)
            g->ns[k] /= 3;
        tried++;
        CU_ASSERT_EQUAL_FATAL(found.count, 3);
        CU_ASSERT(within(found.at[1].entries, 8192, 0.05));
        CU_ASSERT(found.at[2].entries_min < 262144 && found.at[2].entries_max > 262144);
    }
    CU_ASSERT(tried > 10);
    series_free(&series);
}

/* Two samples of each size, the least of them 440 lines, just below the first cache. The last size
 * takes three times as long: it is the one that is disturbed, not the first. */
static void a_table_that_begins_near_the_first_cache_keeps_it_though_a_size_is_disturbed(void)
{
    struct series series, cut;
    uint64_t last = presets[PLAN_CACHES].most;
    measure(&series, machine, 0.01);
    series_init(&cut);
    for (size_t i = 0; i < series.count; i++) {
        const struct group *g = &series.groups[i];
        bool alone = !g->point.kernel->draws && g->point.chains <= 1;
        for (size_t k = 0; k < 2 && k < g->count && alone && g->point.pages >= 440; k++)
            add_sample(&cut, g->point, g->ns[k] * (g->point.pages == last ? 3 : 1));
    }
    struct boundaries found = found_on(&cut);
    CU_ASSERT_EQUAL_FATAL(found.count, 3);
    CU_ASSERT(within(found.at[0].entries, 512, 0.05));
    series_free(&series);
    series_free(&cut);
}

/* The chain of layout local: every node once, 24 pages after the other, and mixed within them. */
static void test_local_chain(void)
{
    enum { PAGE = 64, MIXED = 24 * PAGE, NODES = 10 * MIXED - 8 };
    static uint32_t next[NODES];
    static bool seen[NODES];
    struct point point = point_of("local", NODES, MACHINE_LINE);
    struct random random;
    size_t leaves = 0, stays = 0, steps = 0;
    random_seed(&random, 3, 0);
    CU_ASSERT_EQUAL(layout_window(&point), PAGE);
    point.layout->chain(next, &point, &random);
    uint32_t node = 0;
    do {
        CU_ASSERT(!seen[node]);
        seen[node] = true;
        leaves += node / MIXED != next[node] / MIXED;
        stays += node / PAGE == next[node] / PAGE;
        node = next[node];
    } while (++steps < NODES && node != 0);
    CU_ASSERT_EQUAL(steps, NODES);
    CU_ASSERT(leaves == 10 || leaves == 11); /* node 0 may be amid its pages */
    CU_ASSERT(stays < NODES / 12);
}

int main(void)
{
    TAP_SUITE("caches", {"capacities within 5 per cent", test_capacities},
              {"machines that are odd", test_odd_machines},
              {"samples that scatter are noted at their step", test_scattered},
              {"the plan takes sizes densely enough", test_plan},
              {"the plan takes small sizes before long chains", test_order},
              {"the last level wants several chains to say the same", test_witness},
              {"sizes that were disturbed", test_disturbed},
              {"a table that begins near the first cache keeps it, though a size is disturbed",
               a_table_that_begins_near_the_first_cache_keeps_it_though_a_size_is_disturbed},
              {"a chain of layout local mixes a few pages at a time", test_local_chain});
    return tap_run();
}
