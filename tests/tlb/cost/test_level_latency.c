/* test_level_latency.c: levels between boundaries, and the latency of each from samples made by
 * hand.
 *
 *     bin/.obj/plain/tests/tlb/cost/test_level_latency
 */
#include "access/kernel.h"
#include "machine.h"
#include "named.h"
#include "tap.h"
#include "tlb/cost/level_latency.h"
#include "tlb/curve/curve.h"
#include "tlb/detect/caches.h"

static const struct machine machine = {.load_ns = 1,
                                       .cache = {{512, 8, 3, MISS_EVENLY},
                                                 {8192, 8, 8, MISS_BY_CHANCE},
                                                 {262144, 16, 68, MISS_BY_CHANCE}}};

static bool within(double value, double truth, double part)
{
    return fabs(value / truth - 1) <= part;
}

/* Every level's latency within 2 per cent at 3 per cent noise, with the boundaries that are found
 * in the same samples. */
TEST(levels_of_a_known_machine)
{
    struct series series;
    struct boundaries found = {0};
    struct machine noisy = machine;
    noisy.noise = 0.01;
    machine_curve(&noisy, &series, 17, 6);
    caches_detect(&series, curve_line(&series), &found);
    CU_ASSERT_EQUAL_FATAL(found.count, 3);
    const struct point *curve = level_latency_curve(&series, &kernels[KERNEL_READ], 1,
                                                    MACHINE_LINE);
    for (size_t k = 0; k <= found.count; k++) {
        struct span span = level_latency_span(&found, k);
        struct latency_row p = level_latency_of(&series, curve, span, MACHINE_LINE);
        double ns = machine_hit_ns(&machine, k);
        CU_ASSERT(within(p.ns, ns, 0.02));
        CU_ASSERT(p.low_ns < p.ns && p.ns < p.high_ns);
        CU_ASSERT(within(p.low_ns, ns, 0.05));
        CU_ASSERT(within(p.high_ns, ns, 0.1));
        CU_ASSERT_EQUAL(span.level, k < 3 ? (int)k + 1 : 0);
        CU_ASSERT_STRING_EQUAL(span.structure, k < 3 ? "cache" : "memory");
        CU_ASSERT_STRING_EQUAL(NOTE(p.note), k > 0 ? "may_miss_tlb" : "");
    }
    series_free(&series);
}

/* Sizes at a boundary belong to a level, those within it to none. */
TEST(a_level_is_between_its_boundaries)
{
    struct boundaries caches = {.at = {{.level = 1, .bytes_min = 1024, .bytes_max = 2048},
                                       {.level = 2, .bytes_min = 4096, .bytes_max = 8192}},
                                .count = 2},
                      none = {.count = 0};
    struct span first = level_latency_span(&caches, 0), second = level_latency_span(&caches, 1);
    struct span last = level_latency_span(&caches, 2), alone = level_latency_span(&none, 0);
    CU_ASSERT(first.level == 1 && first.from <= 0 && first.to == 1024);
    CU_ASSERT(second.level == 2 && second.from == 2048 && second.to == 4096);
    CU_ASSERT(last.level == 0 && last.from == 8192 && last.to == HUGE_VAL);
    CU_ASSERT_STRING_EQUAL(alone.structure, "-");
    CU_ASSERT(alone.from <= 0 && alone.to == HUGE_VAL);
}

static struct latency_row plateau_from(struct series *series, double from, double to)
{
    struct span span = {"cache", 1, from, to};
    series_sort(series);
    const struct point *curve = level_latency_curve(series, &kernels[KERNEL_READ], 1, MACHINE_LINE);
    return level_latency_of(series, curve, span, MACHINE_LINE);
}

/* A size with many samples counts no more than one with a few; no size, or no way there, is no
 * figure. */
TEST(sizes_count_alike_however_many_samples_they_have)
{
    struct series series;
    series_init(&series);
    for (int i = 0; i < 50; i++)
        add_sample(&series, point_of("local", 64, MACHINE_LINE), 9);
    add_sample(&series, point_of("local", 128, MACHINE_LINE), 1);
    add_sample(&series, point_of("local", 192, MACHINE_LINE), 1);
    add_sample(&series, point_of("local", 256, MACHINE_LINE), 1);
    add_sample(&series, point_of("local", 512, MACHINE_LINE), 7);
    struct latency_row p = plateau_from(&series, 0, 256 * MACHINE_LINE);
    CU_ASSERT_EQUAL(p.ns, 1);
    CU_ASSERT(p.bytes_min == 64 * MACHINE_LINE && p.bytes_max == 256 * MACHINE_LINE);
    CU_ASSERT_STRING_EQUAL(NOTE(p.note), "");
    p = plateau_from(&series, 257 * MACHINE_LINE, HUGE_VAL);
    CU_ASSERT_EQUAL(p.ns, 7);
    CU_ASSERT_STRING_EQUAL(NOTE(p.note), "few_sizes");
    p = plateau_from(&series, 65 * MACHINE_LINE, 127 * MACHINE_LINE);
    CU_ASSERT(isnan(p.ns) && isnan(p.bytes_min));
    CU_ASSERT_STRING_EQUAL(NOTE(p.note), "no_plateau");
    p = plateau_from(&series, NAN, HUGE_VAL);
    CU_ASSERT(isnan(p.ns));
    CU_ASSERT_STRING_EQUAL(NOTE(p.note), "not_reached");
    series_free(&series);
}

/* The layout with the fewest TLB misses, at the least spacing of a whole line. */
TEST(the_curve_is_the_layout_with_the_fewest_TLB_misses)
{
    static const struct {
        const char *layout;
        uint64_t spacing;
    } order[] = {{"page", 4096}, {"packed", 64}, {"line", 8},  {"line", 32},
                 {"line", 128},  {"line", 64},   {"local", 64}};
    const struct kernel *write = &kernels[KERNEL_WRITE];
    struct series series;
    series_init(&series);
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        add_sample(&series, point_of(order[i].layout, 16, order[i].spacing), 1);
        series_sort(&series);
        const struct point *best = level_latency_curve(&series, &kernels[KERNEL_READ], 1,
                                                       MACHINE_LINE);
        CU_ASSERT_PTR_NOT_NULL_FATAL(best);
        CU_ASSERT_STRING_EQUAL(best->layout->name, order[i].layout);
        CU_ASSERT_EQUAL(best->spacing, order[i].spacing);
    }
    CU_ASSERT_PTR_NULL(level_latency_curve(&series, write, 1, MACHINE_LINE));
    CU_ASSERT_PTR_NULL(level_latency_curve(&series, &kernels[KERNEL_READ], 2, MACHINE_LINE));
    struct point several = point_of("packed", 16, 64);
    several.chains = 2;
    add_sample(&series, several, 1);
    add_sample(&series, point_of("set", 16, 4096), 1);
    series_sort(&series);
    const struct point *two = level_latency_curve(&series, &kernels[KERNEL_READ], 2, MACHINE_LINE);
    CU_ASSERT(two != NULL && two->chains == 2);
    series_free(&series);
}

/* The bytes of a layout that caches hold, and the answer to a spacing of less than a line. */
TEST(bytes_of_a_working_set)
{
    struct series series;
    series_init(&series);
    add_sample(&series, point_of("page", 100, 8192), 1);
    struct latency_row p = plateau_from(&series, 0, HUGE_VAL);
    CU_ASSERT_EQUAL(p.bytes_max, 100 * MACHINE_LINE);
    for (uint64_t nodes = 8; nodes <= 64; nodes *= 2)
        add_sample(&series, point_of("line", nodes, 16), 1);
    p = plateau_from(&series, 0, HUGE_VAL);
    CU_ASSERT_STRING_EQUAL(NOTE(p.note), "shared_lines");
    CU_ASSERT_EQUAL(p.bytes_max, 1024);
    series_free(&series);
}
