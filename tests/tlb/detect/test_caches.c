/* test_caches.c: the range of each cache, and the plan that measures for it.
 *
 *     bin/.obj/plain/tests/tlb/detect/test_caches
 */
#include "access/chain.h"
#include "machine.h"
#include "named.h"
#include "tap.h"
#include "tlb/curve/curve.h"
#include "tlb/detect/caches.h"
#include "tlb/plan/plan.h"
#include <stdlib.h>

static const struct machine machine = {.load_ns = 1,
                                       .cache = {{512, 8, 3, MISS_EVENLY},
                                                 {8192, 8, 8, MISS_BY_CHANCE},
                                                 {262144, 16, 68, MISS_BY_CHANCE}}};

static struct boundaries found_on(struct series *series)
{
    struct boundaries found = {0};
    series_sort(series);
    caches_detect(series, curve_line(series), &found);
    boundaries_judge(&found, NULL);
    return found;
}

/* Measures the preset's points on a machine, with such noise. */
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
}

static bool holds(const struct boundary *b, double truth)
{
    return b->entries_min <= truth && truth <= b->entries_max;
}

/* At 3 per cent noise, whatever the number of ways and however sets fill. A range is narrow where
 * sets fill evenly. */
TEST(ranges_hold_the_capacities)
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
            const struct boundary *b = &found.at[i];
            CU_ASSERT(holds(b, m.cache[i].entries));
            CU_ASSERT(isnan(b->entries));
            CU_ASSERT_EQUAL(b->bytes_max, MACHINE_LINE * b->entries_max);
            CU_ASSERT(b->entries_max < (i == 0 ? 1.5 : 10) * b->entries_min);
            CU_ASSERT(i == 0 || strcmp(NOTE(b->note), "gradual") == 0);
            CU_ASSERT(i > 0 || b->confidence > CONFIDENCE_LOW);
        }
        series_free(&series);
    }
}

/* A missing third level is no row; memory that is never reached makes the last range open. */
TEST(machines_that_are_odd)
{
    static const struct machine two = {
        .load_ns = 1, .cache = {{2048, 8, 4, MISS_EVENLY}, {196608, 12, 85, MISS_BY_CHANCE}}};
    static const struct machine huge = {.load_ns = 1,
                                        .cache = {{512, 8, 3, MISS_EVENLY},
                                                  {32768, 16, 26, MISS_BY_CHANCE},
                                                  {4 << 20, 16, 90, MISS_BY_CHANCE}}};
    struct series series;
    measure(&series, two, 0.01);
    CU_ASSERT_EQUAL(found_on(&series).count, 2);
    series_free(&series);
    measure(&series, huge, 0.01);
    struct boundaries found = found_on(&series);
    CU_ASSERT_EQUAL_FATAL(found.count, 3);
    CU_ASSERT(isnan(found.at[2].entries) && isnan(found.at[2].entries_max));
    CU_ASSERT(found.at[2].entries_min > 1 << 19 && found.at[2].entries_min < 4 << 20);
    CU_ASSERT_STRING_EQUAL(NOTE(found.at[2].note), "gradual,at_end_of_sweep");
    CU_ASSERT_EQUAL(found.at[2].confidence, CONFIDENCE_LOW);
    series_free(&series);
}

/* Each lap over a line more than the cache has misses twice or more. */
TEST(lines_are_counted_where_one_more_was_measured)
{
    struct series series;
    series_init(&series);
    for (int i = 0; i <= 24; i++) { /* four sizes an octave, and 513 */
        uint64_t lines = i == 24 ? 513 : (uint64_t)(64 * exp2(i / 4.0) + 0.5);
        struct point point = point_of("line", lines, MACHINE_LINE);
        for (point.sample = 0; point.sample < 3; point.sample++)
            add_sample(&series, point, machine_ns(&machine, &point));
    }
    struct boundaries found = found_on(&series);
    series_free(&series);
    CU_ASSERT_FATAL(found.count >= 1);
    CU_ASSERT_EQUAL(found.at[0].entries, 512);
    CU_ASSERT_EQUAL(found.at[0].entries_min, 512);
    CU_ASSERT_EQUAL(found.at[0].confidence, CONFIDENCE_HIGH);
}

/* The sizes of one chain, ascending. */
static size_t sizes_of(const struct series *series, double sizes[512], size_t samples[512])
{
    size_t count = 0;
    for (size_t i = 0; i < series->count && count < 512; i++) {
        const struct group *g = &series->groups[i];
        samples[count] = g->count;
        sizes[count++] = (double)g->point.pages;
    }
    return count;
}

/* From 4 KiB to 256 MiB, six sizes an octave to 8 MiB and three beyond, and no sharp edge known
 * less closely than 1.5 per cent. */
TEST(the_plan_takes_sizes_densely_enough)
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

/* The small sizes come first, and those within the rise of the first cache before the long chains:
 * a budget that ends cuts off the last level. */
TEST(the_plan_takes_small_sizes_before_long_chains)
{
    struct plan_options options = option_plan(&presets[PLAN_CACHES], 0, 4096, MACHINE_LINE);
    struct series series;
    struct point *points;
    size_t count;
    bool refined = false, early = true;
    series_init(&series);
    while ((count = plan_next(&options, &series, &points)) > 0) {
        for (size_t i = 0; i < count; i++) {
            struct sample s = {.point = points[i], .ns = machine_ns(&machine, &points[i])};
            early = early && (points[i].pages <= 1 << 17 || refined);
            series_add(&series, &s);
        }
        for (size_t i = 0; i < count; i++)
            refined = refined || points[i].role == ROLE_REFINE;
        free(points);
    }
    CU_ASSERT(refined && early);
    free(points);
    series_free(&series);
}

/* Long chains have a sample or two, and somebody else's work makes one of them three times as long:
 * that is no level, wherever it is on a plateau, and the last size is none either. */
TEST(sizes_that_were_disturbed)
{
    struct series series;
    measure(&series, machine, 0.01);
    series_sort(&series);
    size_t tried = 0;
    for (size_t i = 0; i < series.count; i++) {
        struct group *g = &series.groups[i];
        if (g->count >= 3 || (g->point.pages > 65536 && g->point.pages < 416128))
            continue;
        for (size_t k = 0; k < g->count; k++)
            g->fastest[k] *= 3;
        struct boundaries found = found_on(&series);
        for (size_t k = 0; k < g->count; k++)
            g->fastest[k] /= 3;
        tried++;
        CU_ASSERT_EQUAL_FATAL(found.count, 3);
        CU_ASSERT(holds(&found.at[1], 8192) && holds(&found.at[2], 262144));
    }
    CU_ASSERT(tried > 10);
    series_free(&series);
}

/* Two samples of each size, the least of them 440 lines, just below the first cache. The last size
 * takes three times as long: it is the one that is disturbed, not the first. */
TEST(a_table_that_begins_near_the_first_cache_keeps_it_though_a_size_is_disturbed)
{
    struct series series, cut;
    uint64_t last = presets[PLAN_CACHES].most;
    measure(&series, machine, 0.01);
    series_init(&cut);
    for (size_t i = 0; i < series.count; i++) {
        const struct group *g = &series.groups[i];
        for (size_t k = 0; k < 2 && k < g->count && g->point.pages >= 440; k++)
            add_sample(&cut, g->point, g->ns[k] * (g->point.pages == last ? 3 : 1));
    }
    struct boundaries found = found_on(&cut);
    CU_ASSERT_EQUAL_FATAL(found.count, 3);
    CU_ASSERT(holds(&found.at[0], 512));
    series_free(&series);
    series_free(&cut);
}

/* The chain of layout local: every node once, 24 pages after the other, and mixed within them. */
TEST(a_chain_of_layout_local_mixes_a_few_pages_at_a_time)
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
