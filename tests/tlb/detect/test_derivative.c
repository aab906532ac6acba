/* test_derivative.c: the peaks of the derivative on curves made by hand, and what the two naive
 * methods make of the same.
 *
 *     bin/.obj/plain/tests/tlb/detect/test_derivative
 */
#include "machine.h"
#include "named.h"
#include "tap.h"
#include "tlb/curve/curve.h"
#include "tlb/detect/textbook.h"

static const struct machine machine = {.load_ns = 1,
                                       .cache = {{512, 8, 3, MISS_EVENLY},
                                                 {8192, 8, 8, MISS_BY_CHANCE},
                                                 {262144, 16, 68, MISS_BY_CHANCE}}};

typedef void method(const struct series *, struct boundaries *);

static struct boundaries found_by(method *detect, const struct series *series)
{
    struct boundaries found = {0};
    detect(series, &found);
    return found;
}

static bool within(double value, double truth, double part)
{
    return fabs(value / truth - 1) <= part;
}

/* The size at which the latency is the geometric mean of two plateaus, by the formula of the curve.
 */
static double crossing(size_t level)
{
    double ns = sqrt(machine_hit_ns(&machine, level) * machine_hit_ns(&machine, level + 1));
    double low = 64, high = 1 << 22;
    while (high / low > 1.01) {
        double middle = sqrt(low * high);
        struct point point = point_of("line", (uint64_t)middle, MACHINE_LINE);
        if (machine_ns(&machine, &point) < ns)
            low = middle;
        else
            high = middle;
    }
    return low;
}

TEST(levels_at_their_crossings)
{
    struct series series;
    struct machine noisy = machine;
    noisy.noise = 0.01;
    for (int each = 5; each <= 12; each++) { /* 77 sizes and more */
        machine_curve(&noisy, &series, 16, each);
        struct boundaries found = found_by(textbook_derivative, &series);
        series_free(&series);
        CU_ASSERT_EQUAL_FATAL(found.count, 3);
        for (size_t i = 0; i < 3; i++) {
            const struct boundary *b = &found.at[i];
            CU_ASSERT_EQUAL(b->level, (int)i + 1);
            CU_ASSERT(within(b->entries, crossing(i), i == 0 ? 0.08 : 0.05));
            CU_ASSERT(within(b->plateau_ns, machine_hit_ns(&machine, i), 0.05));
            CU_ASSERT(within(b->step_ns, machine.cache[i].miss_ns, 0.05));
            CU_ASSERT(b->entries_min <= b->entries && b->entries <= b->entries_max);
            CU_ASSERT_EQUAL(b->bytes_min, 64 * b->entries_min);
            CU_ASSERT_EQUAL(b->structure, STRUCTURE_CACHE);
            CU_ASSERT_EQUAL(b->confidence, CONFIDENCE_LOW);
            CU_ASSERT_STRING_EQUAL(NOTE(b->note), "");
        }
    }
}

/* With random page frames the crossing is at about 0.83 of 8 ways; that is inherent in the
 * method. */
TEST(a_cache_of_8_ways_crosses_at_0_83)
{
    CU_ASSERT(within(crossing(1), 0.83 * 8192, 0.03));
}

/* The same curve stretched stretches the answer; a slower clock does nothing. */
TEST(no_absolute_size_or_time)
{
    struct series plain, other;
    machine_curve(&machine, &plain, 16, 6);
    series_init(&other);
    for (size_t i = 0; i < plain.count; i++)
        add_sample(&other, point_of("line", 16 * plain.groups[i].point.pages, MACHINE_LINE),
                   3 * plain.groups[i].ns[0]);
    series_sort(&other);
    struct boundaries a = found_by(textbook_derivative, &plain);
    struct boundaries b = found_by(textbook_derivative, &other);
    CU_ASSERT_EQUAL_FATAL(a.count, b.count);
    for (size_t i = 0; i < a.count; i++)
        CU_ASSERT(within(b.at[i].entries, 16 * a.at[i].entries, 1e-3));
    series_free(&plain);
    series_free(&other);
}

/* An outlier moves no boundary and creates none; the biggest jump is there. */
TEST(a_sample_far_off_moves_no_boundary)
{
    struct series series;
    machine_curve(&machine, &series, 16, 6);
    struct boundaries before = found_by(textbook_derivative, &series);
    struct point spike = point_of("line", (uint64_t)(64 * exp2(50.0 / 6) + 0.5), MACHINE_LINE);
    struct group *group = series_find(&series, &spike);
    CU_ASSERT_PTR_NOT_NULL_FATAL(group);
    for (size_t i = 0; i < group->count; i++)
        group->fastest[i] *= 9;
    struct boundaries found = found_by(textbook_derivative, &series);
    struct boundaries jump = found_by(textbook_jump, &series);
    series_free(&series);
    CU_ASSERT_EQUAL_FATAL(found.count, before.count);
    for (size_t i = 0; i < found.count; i++)
        CU_ASSERT(within(found.at[i].entries, before.at[i].entries, 0.01));
    CU_ASSERT_EQUAL_FATAL(jump.count, 1);
    CU_ASSERT_EQUAL(jump.at[0].entries_max, (double)spike.pages);
}

TEST(the_end_of_the_sweep)
{
    struct series series;
    machine_curve(&machine, &series, 12, 6); /* the last size is that of the third cache */
    struct boundaries found = found_by(textbook_derivative, &series);
    series_free(&series);
    CU_ASSERT_EQUAL_FATAL(found.count, 3);
    CU_ASSERT_PTR_NOT_NULL(strstr(NOTE(found.at[2].note), "at_end_of_sweep"));
    CU_ASSERT_EQUAL(found.at[2].confidence, CONFIDENCE_LOW);
    CU_ASSERT_PTR_NULL(strstr(NOTE(found.at[1].note), "at_end_of_sweep"));
}

TEST(a_flat_curve_gives_no_boundary)
{
    static const struct machine flat = {
        .load_ns = 5, .cache = {{512, 8, 0.2, MISS_EVENLY}}, .noise = 0.02};
    struct series series;
    for (int octaves = 0; octaves < 16; octaves += 5) {
        machine_curve(&flat, &series, octaves, 6);
        CU_ASSERT_EQUAL(found_by(textbook_derivative, &series).count, 0);
        CU_ASSERT_EQUAL(found_by(textbook_plateau, &series).count, 0);
        CU_ASSERT(octaves > 0 || found_by(textbook_jump, &series).count == 0);
        series_free(&series);
    }
}

/* Each size is represented by its fastest lap. */
TEST(noise_that_adds_time)
{
    struct series series;
    machine_curve(&machine, &series, 16, 6);
    for (size_t i = 0; i < series.count; i++)
        for (size_t k = 0; k < 3; k++)
            series.groups[i].fastest[(i + k) % 5] *= 1.5 + (double)k;
    struct boundaries found = found_by(textbook_derivative, &series);
    series_free(&series);
    CU_ASSERT_EQUAL_FATAL(found.count, 3);
    CU_ASSERT(within(found.at[0].plateau_ns, 1, 0.01));
}

/* Of several layouts the one that keeps translation out, and a line apart. */
TEST(the_curve_keeps_translation_out_a_line_apart)
{
    struct series series;
    series_init(&series);
    CU_ASSERT_PTR_NULL(curve_line(&series));
    add_sample(&series, point_of("page", 64, MACHINE_LINE), 1);
    series_sort(&series);
    CU_ASSERT_PTR_NULL(curve_line(&series));
    add_sample(&series, point_of("packed", 64, MACHINE_LINE), 1);
    add_sample(&series, point_of("line", 64, MACHINE_LINE), 1);
    add_sample(&series, point_of("local", 64, MACHINE_LINE), 1);
    series_sort(&series);
    CU_ASSERT_STRING_EQUAL(curve_line(&series)->layout->name, "local");
    series_free(&series);
}

/* The time doubles within the first quarter of an octave, and stays. */
TEST(a_curve_may_begin_with_a_rise)
{
    struct series series;
    series_init(&series);
    for (int i = 0; i < 25; i++)
        add_sample(&series, point_of("line", (uint64_t)(6400 * exp2(i / 8.0)), MACHINE_LINE),
                   100 * exp2(fmin(1, i / 2.0)));
    series_sort(&series);
    struct boundaries found = found_by(textbook_derivative, &series);
    series_free(&series);
    CU_ASSERT_EQUAL_FATAL(found.count, 1);
    CU_ASSERT(found.at[0].entries > 6400 && found.at[0].entries < 6400 * exp2(0.25));
}

/* The plateau ends before the cache does, the earlier the more gradual. */
TEST(the_plateau_method_ends_before_the_cache_does)
{
    struct series series;
    machine_curve(&machine, &series, 16, 6);
    struct boundaries found = found_by(textbook_plateau, &series);
    series_free(&series);
    CU_ASSERT_FATAL(found.count >= 2);
    CU_ASSERT(found.at[0].entries < 512 && found.at[0].entries > 512 / 2);
    CU_ASSERT(found.at[1].entries < 0.6 * 8192);
}
