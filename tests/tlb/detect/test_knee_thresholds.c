/* test_knee_thresholds.c: each threshold of knee.c from both sides, on curves without noise. */
#include "tap.h"
#include "tlb/curve/knee.h"
#include <math.h>

enum { POINTS_MAX = 1024 };

static struct curve_point points[POINTS_MAX];
static struct curve curve = {points, 0};
static struct knee knees[KNEES_MAX];

static void add(double pages, double ns, double error)
{
    points[curve.count++] = (struct curve_point){pages, ns, error, 1, 9};
}

/* 0 up to 100 nodes, then what the function says; a point every so many per cent. */
static size_t find(double (*rise)(double pages, double by), double by, double error, double ratio)
{
    curve.count = 0;
    for (double n = 100 / pow(ratio, floor(log(25) / log(ratio))); n < 6400; n *= ratio)
        add(n, n > 100.001 ? rise(n, by) : 0, error);
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
        add(n, n > 100 ? 1 : n >= 50 ? within : below, 0.001);
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
        add(n, n > 100 ? 1 : fmod(n, 2) < 1 ? 0.01 : -0.01, 0.001);
    CU_ASSERT_EQUAL_FATAL(knee_find(&curve, knees), 1);
    CU_ASSERT_DOUBLE_EQUAL(knees[0].plateau_error, 0.01 / sqrt(50), 1e-4);
}

/* Curves in which no octave has three points. */
TEST(a_plateau_has_three_points_at_least)
{
    CU_ASSERT_EQUAL_FATAL(find(step, 1, 0.001, 1.9), 1);
    CU_ASSERT_DOUBLE_EQUAL(knees[0].plateau_error, 0.001 / sqrt(3), 1e-6);
}
