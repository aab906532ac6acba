/* test_jitter.c: noise that falls on both sides, from samples whose clean time is known. */
#include "access/layout.h"
#include "base/random.h"
#include "machine.h"
#include "tap.h"
#include "tlb/curve/jitter.h"
#include <math.h>

enum { SIZES = 12, SAMPLES = 64 };

static const double clean_ns[] = {1, 3}; /* of `packed` and `page` */

static struct series series;
static struct point page, packed;

/* The factor of a sample on the time of a layout. */
typedef double disturb(struct random *random, const struct point *point);

/* Laps differ, as beside a neighbour. */
static void add(const struct point *point, uint64_t sample, double ns)
{
    struct sample s = {.point = *point, .ns = 1.01 * ns, .min_ns = ns};
    s.point.sample = sample;
    series_add(&series, &s);
}

static void measure(disturb *factor)
{
    struct random random;
    random_seed(&random, 1, 1);
    series_init(&series);
    for (uint64_t size = 0; size < SIZES; size++)
        for (uint64_t sample = 0; sample < SAMPLES; sample++) {
            page = point_of("page", 600 + size, MACHINE_PAGE);
            packed = point_of("packed", 600 + size, MACHINE_LINE);
            page.sample = packed.sample = sample;
            add(&packed, sample, clean_ns[0] * factor(&random, &packed));
            add(&page, sample, clean_ns[1] * factor(&random, &page));
        }
    series_sort(&series);
}

static double both_sides(struct random *random, const struct point *point)
{
    (void)point;
    return 1 + 0.1 * random_normal(random);
}

/* Beside a neighbour who slows half of the samples of `page`; all of those of one size. */
static double beside(struct random *random, const struct point *point)
{
    bool there = point->pages == 605 || random_below(random, 2) > 0;
    double slow = there && point->layout == &layouts[LAYOUT_PAGE] ? 1.5 : 1;
    return slow * both_sides(random, point);
}

static double by_the_clock(struct random *random, const struct point *point)
{
    (void)random;
    return 1 + 0.1 * sin((double)(point->sample * point->pages));
}

static double one_side(struct random *random, const struct point *point)
{
    (void)point;
    return 1 - 0.1 * log(1 - random_unit(random));
}

static double little(struct random *random, const struct point *point)
{
    return 1 + (both_sides(random, point) - 1) / 10;
}

static double jitter_under(disturb *factor)
{
    measure(factor);
    double jitter = jitter_of(&series, &page, &packed);
    series_free(&series);
    return jitter;
}

static void noise_on_both_sides_of_each_sample_is_jitter(void)
{
    CU_ASSERT_DOUBLE_EQUAL(jitter_under(both_sides), 0.1, 0.01);
    CU_ASSERT_DOUBLE_EQUAL(jitter_under(beside), 0.1, 0.01);
}

static void noise_that_adds_the_clock_and_little_noise_are_none(void)
{
    CU_ASSERT_EQUAL(jitter_under(one_side), 0);
    CU_ASSERT_EQUAL(jitter_under(by_the_clock), 0);
    CU_ASSERT_EQUAL(jitter_under(little), 0);
}

/* The minimum of 64 samples is a quarter below the clean time, the median of all a seventh above.
 */
static void a_curve_beside_a_neighbour_is_that_of_its_undisturbed_samples(void)
{
    measure(beside);
    struct curve c = curve_control(&series, &page);
    CU_ASSERT_EQUAL_FATAL(c.count, SIZES);
    double mean = 0;
    for (size_t i = 0; i < c.count; i++) {
        CU_ASSERT_DOUBLE_EQUAL(c.at[i].ns, clean_ns[1] - clean_ns[0], 4 * c.at[i].error);
        mean += c.at[i].load_ns / (double)c.count;
    }
    CU_ASSERT_TRUE(c.at[0].error > 0.05 && c.at[0].error < 0.15);
    CU_ASSERT_DOUBLE_EQUAL(mean, clean_ns[1], 0.1);
    curve_free(&c);
    series_free(&series);
}

static void a_size_above_all_larger_ones_is_moved_down_and_unsure(void)
{
    measure(beside);
    struct curve c = curve_control(&series, &page);
    CU_ASSERT_EQUAL_FATAL(c.count, SIZES);
    CU_ASSERT_TRUE(c.at[5].ns < clean_ns[1] - clean_ns[0] + 0.5);
    CU_ASSERT_TRUE(c.at[5].error > 3 * c.at[4].error);
    curve_free(&c);
    series_free(&series);
}

int main(void)
{
    TAP_SUITE("jitter",
              {"noise on both sides of each sample is jitter",
               noise_on_both_sides_of_each_sample_is_jitter},
              {"noise that adds, the clock, and little noise are none",
               noise_that_adds_the_clock_and_little_noise_are_none},
              {"a curve beside a neighbour is that of its undisturbed samples",
               a_curve_beside_a_neighbour_is_that_of_its_undisturbed_samples},
              {"a size above all larger ones is moved down, and unsure",
               a_size_above_all_larger_ones_is_moved_down_and_unsure});
    return tap_run();
}
