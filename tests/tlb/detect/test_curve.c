/* test_curve.c: values and errors of curves, from samples that are few and known; and each
 * threshold of a knee from both sides, on curves without noise. */
#include "machine.h"
#include "tap.h"
#include "tlb/curve/curve.h"
#include <math.h>

enum { SAMPLES = 9 };

static struct series series;

/* Nine samples, evenly spread around a time by so much of it. */
static void add(struct point point, double ns, double spread)
{
    for (point.sample = 0; point.sample < SAMPLES; point.sample++) {
        double off = (double)(int)(point.sample * 4 % SAMPLES) - 4; /* -4 to 4, in some order */
        struct sample s = {.point = point, .ns = ns * (1 + spread * off / 4)};
        series_add(&series, &s);
    }
}

/* Two sizes, the second of which is the faster, with samples of 8 and 6 ns and others that are
 * slower; `packed` takes 1 ns. */
TEST(the_control_is_the_fastest_lap_at_a_size_or_a_larger_one)
{
    struct point page = point_of("page", 600, MACHINE_PAGE);
    series_init(&series);
    for (uint64_t i = 0; i < 12; i++) {
        double slower = (double)(i % 6) / 10;
        struct sample s = {.point = page, .ns = 9, .min_ns = (i < 6 ? 8 : 6) + slower};
        s.point.pages += 100 * (i / 6);
        s.point.sample = i % 6;
        series_add(&series, &s);
        s.point.layout = &layouts[LAYOUT_PACKED];
        s.point.spacing = MACHINE_LINE;
        s.ns = s.min_ns = 1;
        series_add(&series, &s);
    }
    series_sort(&series);
    struct curve c = curve_difference(&series, &page);
    CU_ASSERT_EQUAL_FATAL(c.count, 2);
    for (size_t i = 0; i < 2; i++) {
        CU_ASSERT_DOUBLE_EQUAL(c.at[i].ns, 6 - 1, 1e-9);
        CU_ASSERT_DOUBLE_EQUAL(c.at[i].load_ns, 6, 1e-9);
        CU_ASSERT_DOUBLE_EQUAL(c.at[i].error, 0.1, 1e-9); /* to the next lap of 700 pages */
        CU_ASSERT_EQUAL(c.at[i].samples, 6);
    }
    curve_free(&c);
    series_free(&series);
}

/* Of a like point, or, where there is none, of the first. */
TEST(packed_is_that_of_the_same_kernel_and_if_there_is_of_the_same_backing)
{
    struct point page = point_of("page", 10, MACHINE_PAGE),
                 packed = point_of("packed", 10, MACHINE_LINE);
    series_init(&series);
    packed.kernel = &kernels[KERNEL_CODE];
    add(packed, 1, 0);
    series_sort(&series);
    CU_ASSERT_PTR_NULL(curve_packed(&series, &page));
    packed.kernel = &kernels[KERNEL_READ];
    add(packed, 1, 0);
    packed.backing = &backings[BACKING_CONTIGUOUS];
    add(packed, 1, 0);
    series_sort(&series);
    const struct point *found = curve_packed(&series, &page);
    CU_ASSERT_PTR_NOT_NULL_FATAL(found);
    CU_ASSERT_TRUE(found->kernel == page.kernel && found->backing == page.backing);
    page.backing = &backings[BACKING_CONTIGUOUS];
    CU_ASSERT_PTR_EQUAL(curve_packed(&series, &page)->backing, page.backing);
    page.backing = &backings[BACKING_HUGE];
    CU_ASSERT_PTR_NOT_NULL(curve_packed(&series, &page));
    series_free(&series);
}

/* A quarter of the samples is slower by half; and one size altogether. */
TEST(a_curve_alone_is_the_fastest_lap_of_a_size_or_a_larger_one)
{
    struct point p = point_of("packed", 10, MACHINE_LINE);
    series_init(&series);
    for (p.pages = 10; p.pages < 15; p.pages++)
        for (p.sample = 0; p.sample < 16; p.sample++) {
            double late = p.sample % 4 == 0 || p.pages == 12 ? 0.5 : 0;
            struct sample s = {.point = p, .ns = 1 + 0.001 * (double)(p.sample % 3) + late};
            series_add(&series, &s);
        }
    series_sort(&series);
    struct curve c = curve_alone(&series, &p), minima = curve_minima(&series, &p);
    CU_ASSERT_TRUE_FATAL(c.count == 5 && minima.count == 5);
    for (size_t i = 0; i < 5; i++) {
        CU_ASSERT_EQUAL(c.at[i].ns, 1);
        CU_ASSERT_EQUAL(minima.at[i].ns, i == 2 ? 1.5 : 1);
    }
    curve_free(&c);
    curve_free(&minima);
    series_free(&series);
    c = curve_alone(&series, NULL);
    CU_ASSERT_EQUAL(c.count, 0);
    curve_free(&c);
}

/* 4 to 2003 nodes, each measured once: 4 to 203 stay, as their neighbours are further than 0.5 %.
 */
TEST(of_very_many_sizes_near_ones_are_left_out)
{
    struct point p = point_of("packed", 4, MACHINE_LINE);
    series_init(&series);
    for (; p.pages < 2004; p.pages++) {
        struct sample s = {.point = p, .ns = (double)p.pages};
        series_add(&series, &s);
    }
    series_sort(&series);
    struct curve c = curve_minima(&series, &p);
    CU_ASSERT_TRUE_FATAL(c.count > 500 && c.count < 800);
    CU_ASSERT_EQUAL(c.at[195].pages, 199);
    for (size_t i = 0; i < c.count; i++) {
        CU_ASSERT_EQUAL(c.at[i].ns, c.at[i].pages);
        CU_ASSERT_TRUE(i == 0 || c.at[i].pages > c.at[i - 1].pages);
    }
    curve_free(&c);
    series_free(&series);
}

/* By chance it may have fitted into a level that its chain overflows. */
TEST(the_fastest_of_eight_samples_of_a_short_chain_is_left_out)
{
    static const struct {
        uint64_t pages, samples;
        double ns;
    } cases[] = {{512, 8, 2}, {512, 7, 1}, {513, 8, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct point p = point_of("packed", cases[i].pages, MACHINE_LINE);
        series_init(&series);
        for (; p.sample < cases[i].samples; p.sample++) {
            struct sample s = {.point = p, .ns = p.sample == 3 ? 1 : 2};
            series_add(&series, &s);
        }
        series_sort(&series);
        struct curve c = curve_minima(&series, &p);
        CU_ASSERT_EQUAL_FATAL(c.count, 1);
        CU_ASSERT_EQUAL(c.at[0].ns, cases[i].ns);
        curve_free(&c);
        series_free(&series);
    }
}

/* `pair` does not; `line` does it better than `packed`. */
TEST(the_line_is_of_the_layout_that_shows_caches_best)
{
    series_init(&series);
    add(point_of("pair", 10, MACHINE_LINE), 1, 0);
    series_sort(&series);
    CU_ASSERT_PTR_NULL(curve_line(&series));
    add(point_of("packed", 10, MACHINE_LINE), 1, 0);
    add(point_of("line", 10, MACHINE_LINE), 1, 0);
    series_sort(&series);
    const struct point *found = curve_line(&series);
    CU_ASSERT_PTR_NOT_NULL_FATAL(found);
    CU_ASSERT_PTR_EQUAL(found->layout, &layouts[LAYOUT_LINE]);
    series_free(&series);
}

/* ---- knees ---- */

enum { POINTS_MAX = 1024 };

static struct curve_point points[POINTS_MAX];
static struct curve curve = {.at = points};
static struct knee knees[KNEES_MAX];

static void add_point(double pages, double ns, double error)
{
    points[curve.count++] = (struct curve_point){pages, ns, error, 1, 9};
}

/* 0 up to 100 nodes, then what the function says; a point every so many per cent. */
static size_t find(double (*rise)(double pages, double by), double by, double error, double ratio)
{
    curve.count = 0;
    for (double n = 100 / pow(ratio, floor(log(25) / log(ratio))); n < 6400; n *= ratio)
        add_point(n, n > 100.001 ? rise(n, by) : 0, error);
    return knee_find(&curve, knees);
}

static double step(double pages, double height)
{
    (void)pages;
    return height;
}

TEST(a_step_of_a_quarter_of_a_load_counts)
{
    CU_ASSERT_EQUAL(find(step, 0.26, 0.001, 1.1), 1);
    CU_ASSERT_DOUBLE_EQUAL(knees[0].step_ns, 0.26, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(points[knees[0].before].pages, 100, 1e-6);
    CU_ASSERT_EQUAL(knees[0].after, knees[0].before + 1);
    CU_ASSERT_EQUAL(knees[0].end, knees[0].after);
    CU_ASSERT_FALSE(knees[0].gradual || knees[0].reaches_end);
    CU_ASSERT_EQUAL(find(step, 0.24, 0.001, 1.1), 0);
}

/* Two and three quarters of the errors that one point has, or a little more than three: on a step
 * in whose first point, and no other, the whole is in doubt. */
static double late(double pages, double first)
{
    return pages < 101 * 1.01 ? first : 1;
}

TEST(a_point_three_errors_above_the_plateau_is_on_the_rise)
{
    CU_ASSERT_EQUAL_FATAL(find(late, 0.34, 0.1, 1.01), 1);
    CU_ASSERT_TRUE(points[knees[0].after].pages < 101.5);
    CU_ASSERT_EQUAL_FATAL(find(late, 0.27, 0.1, 1.01), 1);
    CU_ASSERT_TRUE(points[knees[0].after].pages > 101.5);
}

TEST(a_point_a_fortieth_of_a_load_above_the_plateau_is_on_the_rise)
{
    CU_ASSERT_EQUAL_FATAL(find(late, 0.027, 0.0001, 1.01), 1);
    CU_ASSERT_TRUE(points[knees[0].after].pages < 101.5);
    CU_ASSERT_EQUAL_FATAL(find(late, 0.023, 0.0001, 1.01), 1);
    CU_ASSERT_TRUE(points[knees[0].after].pages > 101.5);
}

/* 20 points an octave: the error of the plateau is 0.22 of that of a point. */
TEST(three_points_three_errors_above_the_plateau_are_a_rise)
{
    CU_ASSERT_EQUAL(find(step, 3.2, 1, exp2(1 / 20.0)), 1);
    CU_ASSERT_EQUAL(find(step, 3.0, 1, exp2(1 / 20.0)), 0);
}

/* From 100 nodes on in proportion to their logarithm, over a factor. */
static double slow(double pages, double factor)
{
    return fmin(1, log(pages / 100) / log(factor));
}

/* Linear from 100 nodes on, half way at such a size. */
static double linear(double pages, double half)
{
    return fmin(1, (pages - 100) / (half - 100) / 2);
}

TEST(a_step_whose_half_lies_a_sixth_beyond_its_beginning_is_gradual)
{
    CU_ASSERT_EQUAL_FATAL(find(linear, 115, 0.001, 1.01), 1);
    CU_ASSERT_FALSE(knees[0].gradual);
    CU_ASSERT_EQUAL_FATAL(find(linear, 119, 0.001, 1.01), 1);
    CU_ASSERT_TRUE(knees[0].gradual);
}

TEST(a_size_on_a_rise_lies_between_two_points)
{
    CU_ASSERT_EQUAL_FATAL(find(linear, 180, 0.001, 1.05), 1);
    CU_ASSERT_DOUBLE_EQUAL(knee_size_at(&curve, &knees[0], 0.5), 180, 1);
    CU_ASSERT_DOUBLE_EQUAL(knee_size_at(&curve, &knees[0], 0.25), 140, 1);
    CU_ASSERT_DOUBLE_EQUAL(knee_size_at(&curve, &knees[0], 0), 100, 1);
}

/* The end of a rise is where half an octave adds less than a tenth of it. */
static double tailed(double pages, double tail)
{
    double rise = fmin(1, (pages - 100) / 10);
    return rise + tail * fmax(0, log2(pages / 110));
}

TEST(a_rise_ends_where_half_an_octave_adds_less_than_a_tenth)
{
    CU_ASSERT_FATAL(find(tailed, 0.12, 0.001, 1.02) > 0);
    CU_ASSERT_TRUE(points[knees[0].end].pages < 115);
    CU_ASSERT_TRUE(find(tailed, 0.4, 0.001, 1.02) == 0 || points[knees[0].end].pages > 150);
}

/* The last half of this octave adds as much as six errors. */
TEST(noise_ends_a_rise_only_where_it_is_no_more_than_that)
{
    CU_ASSERT_EQUAL_FATAL(find(slow, 2, 0.08, 1.02), 1);
    CU_ASSERT_TRUE(knees[0].step_ns > 0.95);
    CU_ASSERT_TRUE(points[knees[0].end].pages > 175);
}

/* ---- the plateau ---- */

/* Two parts of a plateau before a step of 1 at 100: below the octave, and in it. */
static double plateau_of(double below, double within, double *error)
{
    curve.count = 0;
    for (double n = 20; n <= 400; n += 1)
        add_point(n, n > 100 ? 1 : n >= 50 ? within : below, 0.001);
    CU_ASSERT_EQUAL_FATAL(knee_find(&curve, knees), 1);
    CU_ASSERT_EQUAL(points[knees[0].before].pages, 100);
    *error = knees[0].plateau_error;
    return knees[0].plateau_ns;
}

TEST(the_plateau_is_the_octave_before_a_rise)
{
    double error;
    CU_ASSERT_DOUBLE_EQUAL(plateau_of(0, 0.01, &error), 0.01, 1e-4);
    CU_ASSERT_DOUBLE_EQUAL(plateau_of(0.01, 0, &error), 0, 1e-4);
}

/* 50 points, each with an error of 0.001. */
TEST(the_error_of_a_plateau_is_that_of_its_mean)
{
    double error;
    plateau_of(0, 0, &error);
    CU_ASSERT_DOUBLE_EQUAL(error, 0.001 / sqrt(50), 1e-6);
    curve.count = 0; /* where points scatter by ten times that, ten times as much */
    for (double n = 20; n <= 400; n += 1)
        add_point(n, n > 100 ? 1 : fmod(n, 2) < 1 ? 0.01 : -0.01, 0.001);
    CU_ASSERT_EQUAL_FATAL(knee_find(&curve, knees), 1);
    CU_ASSERT_DOUBLE_EQUAL(knees[0].plateau_error, 0.01 / sqrt(50), 1e-4);
}

/* Curves in which no octave has three points. */
TEST(a_plateau_has_three_points_at_least)
{
    CU_ASSERT_EQUAL_FATAL(find(step, 1, 0.001, 1.9), 1);
    CU_ASSERT_DOUBLE_EQUAL(knees[0].plateau_error, 0.001 / sqrt(3), 1e-6);
}
