/* test_knee_thresholds.c: each threshold of knee.c from both sides, on curves without noise. */
#include "tap.h"
#include "tlb/curve/knee.h"
#include <math.h>

enum { POINTS_MOST = 1024 };

static struct curve_point points[POINTS_MOST];
static struct curve curve = {points, 0};
static struct knee knees[KNEES_MOST];

static void add(double pages, double ns, double error)
{
    points[curve.count++] = (struct curve_point){pages, ns, error, 1, 9, 9, 0, 0};
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

static void a_step_of_a_quarter_of_a_load_counts(void)
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

static void a_point_three_errors_above_the_plateau_is_on_the_rise(void)
{
    CU_ASSERT_EQUAL_FATAL(find(late, 0.34, 0.1, 1.01), 1);
    CU_ASSERT_TRUE(points[knees[0].after].pages < 101.5);
    CU_ASSERT_EQUAL_FATAL(find(late, 0.27, 0.1, 1.01), 1);
    CU_ASSERT_TRUE(points[knees[0].after].pages > 101.5);
}

/* The whole at the first point, then less than three errors up to so many nodes. */
static double unsure(double pages, double until)
{
    return pages > 101.5 && pages < until ? 0.27 : 1;
}

static void one_of_the_two_points_behind_the_first_may_be_unsure(void)
{
    CU_ASSERT_EQUAL_FATAL(find(unsure, 102.5, 0.1, 1.01), 1);
    CU_ASSERT_TRUE(points[knees[0].after].pages < 101.5);
    CU_ASSERT_EQUAL_FATAL(find(unsure, 103.5, 0.1, 1.01), 1);
    CU_ASSERT_TRUE(points[knees[0].after].pages > 103.5);
}

static void a_point_a_fortieth_of_a_load_above_the_plateau_is_on_the_rise(void)
{
    CU_ASSERT_EQUAL_FATAL(find(late, 0.027, 0.0001, 1.01), 1);
    CU_ASSERT_TRUE(points[knees[0].after].pages < 101.5);
    CU_ASSERT_EQUAL_FATAL(find(late, 0.023, 0.0001, 1.01), 1);
    CU_ASSERT_TRUE(points[knees[0].after].pages > 101.5);
}

/* 20 points an octave: the error of the mean of three is 0.58 of one's, that of the plateau 0.23.
 */
static void three_points_six_errors_above_the_plateau_are_a_rise(void)
{
    CU_ASSERT_EQUAL(find(step, 3.9, 1, exp2(1 / 20.0)), 1);
    CU_ASSERT_EQUAL(find(step, 3.5, 1, exp2(1 / 20.0)), 0);
}

/* From 100 nodes on in proportion to their logarithm, over a factor. */
static double slow(double pages, double factor)
{
    return fmin(1, log(pages / 100) / log(factor));
}

/* Half is done at sqrt(factor), a twentieth at factor^0.05; at twice its size log(2) / log(factor).
 */
static void what_takes_longer_than_a_factor_of_3_2_for_its_half_is_cut_at_twice_its_size(void)
{
    CU_ASSERT_EQUAL(find(slow, 12, 0.001, 1.02), 1);
    CU_ASSERT_TRUE(knees[0].gradual);
    CU_ASSERT_TRUE(points[knees[0].end].pages > 900);
    CU_ASSERT_EQUAL(find(slow, 15, 0.001, 1.02), 1);
    CU_ASSERT_TRUE(points[knees[0].end].pages < 220);
    CU_ASSERT_EQUAL(find(slow, 30, 0.001, 1.02), 0); /* it has not reached a quarter of a load */
}

/* Linear from 100 nodes on, half way at such a size. */
static double linear(double pages, double half)
{
    return fmin(1, (pages - 100) / (half - 100) / 2);
}

static void a_step_whose_half_lies_a_sixth_beyond_its_foot_is_gradual(void)
{
    CU_ASSERT_EQUAL_FATAL(find(linear, 115, 0.001, 1.01), 1);
    CU_ASSERT_FALSE(knees[0].gradual);
    CU_ASSERT_EQUAL_FATAL(find(linear, 118.5, 0.001, 1.01), 1);
    CU_ASSERT_TRUE(knees[0].gradual);
}

/* The upper half of a rise is not taken for its foot. */
static double bent(double pages, double half)
{
    return pages <= half ? (pages - 100) / 100 : fmin(1, 0.55 + (pages - half) / 10);
}

static void the_foot_is_a_line_through_the_lower_half(void)
{
    CU_ASSERT_EQUAL_FATAL(find(bent, 150.5, 0.001, 1.01), 1);
    struct foot foot = knee_foot(&curve, &knees[0]);
    CU_ASSERT_DOUBLE_EQUAL(foot.slope, 0.01, 1e-4);
    CU_ASSERT_DOUBLE_EQUAL(foot.pages, 100, 0.1);
}

static void a_foot_too_short_for_a_line_is_the_middle_of_its_bracket(void)
{
    CU_ASSERT_EQUAL_FATAL(find(step, 2, 0.001, 1.1), 1);
    struct foot foot = knee_foot(&curve, &knees[0]);
    CU_ASSERT_DOUBLE_EQUAL(foot.pages, (100 + 110 - 1) / 2.0, 1e-6);
    CU_ASSERT_DOUBLE_EQUAL(foot.slope, 2 / 10.0, 1e-6);
}

static void a_size_on_a_rise_lies_between_two_points(void)
{
    CU_ASSERT_EQUAL_FATAL(find(linear, 180, 0.001, 1.05), 1);
    CU_ASSERT_DOUBLE_EQUAL(knee_size_at(&curve, &knees[0], 0.5), 180, 1);
    CU_ASSERT_DOUBLE_EQUAL(knee_size_at(&curve, &knees[0], 0.25), 140, 1);
    CU_ASSERT_DOUBLE_EQUAL(knee_size_at(&curve, &knees[0], 0), 100, 1);
}

/* The end of a rise is where an octave adds less than a tenth of it. */
static double tailed(double pages, double tail)
{
    double rise = fmin(1, (pages - 100) / 10);
    return rise + tail * fmax(0, log2(pages / 110));
}

static void a_rise_ends_where_an_octave_adds_less_than_a_tenth(void)
{
    CU_ASSERT_EQUAL_FATAL(find(tailed, 0.06, 0.001, 1.02), 1);
    CU_ASSERT_TRUE(points[knees[0].end].pages < 115);
    CU_ASSERT_TRUE(find(tailed, 0.2, 0.001, 1.02) == 0 || points[knees[0].end].pages > 150);
}

/* Two octaves that add 1 each, one and a half that add less, two that add 2 each. */
static double with_lull(double pages, double less)
{
    double octave = log2(pages / 100), second = 2 + less * 1.5;
    if (octave <= 2)
        return octave;
    return octave <= 3.5 ? 2 + less * (octave - 2) : fmin(second + 4, second + 2 * (octave - 3.5));
}

static void a_rise_half_as_steep_as_before_and_after_parts_two_levels(void)
{
    CU_ASSERT_TRUE_FATAL(find(with_lull, 0.4, 0.001, 1.02) >= 2);
    CU_ASSERT_DOUBLE_EQUAL(points[knees[0].before].pages, 100, 1e-6);
    CU_ASSERT_DOUBLE_EQUAL(knees[0].step_ns, 2, 0.3);
    CU_ASSERT_TRUE(knees[1].step_ns > 4);
    CU_ASSERT_FATAL(find(with_lull, 0.6, 0.001, 1.02) >= 1);
    CU_ASSERT_TRUE(points[knees[0].end].pages < 210); /* as a whole it is none */
}

/* The last half of this octave adds as much as six errors. */
static void noise_ends_a_rise_only_where_it_is_no_more_than_that(void)
{
    CU_ASSERT_EQUAL_FATAL(find(slow, 2, 0.08, 1.02), 1);
    CU_ASSERT_TRUE(knees[0].step_ns > 0.95);
    CU_ASSERT_TRUE(points[knees[0].end].pages > 175);
}

/* Its line would meet the plateau 60 nodes before the last point on that. */
static double high_foot(double pages, double slope)
{
    return pages < 150 ? 0.3 + (pages - 100) * slope : 1;
}

static void a_foot_begins_no_more_than_a_thirtieth_before_the_rise(void)
{
    CU_ASSERT_EQUAL_FATAL(find(high_foot, 0.003, 0.001, 1.01), 1);
    CU_ASSERT_DOUBLE_EQUAL(knee_foot(&curve, &knees[0]).pages, 97, 1e-6);
}

/* ---- the plateau ---- */

/* Three parts of a plateau before a step of 1 at 100: below the octave, in it, in its last
 * twentieth; `drop` is the error of the point in the middle. */
static double plateau_of(double below, double within, double last, double *error)
{
    curve.count = 0;
    for (double n = 20; n <= 400; n += 1)
        add(n, n > 100 ? 1 : n > 96.5 ? last : n >= 50 ? within : below, 0.001);
    CU_ASSERT_EQUAL_FATAL(knee_find(&curve, knees), 1);
    CU_ASSERT_EQUAL(points[knees[0].before].pages, 100);
    *error = knees[0].plateau_error;
    return knees[0].plateau_ns;
}

static void the_plateau_is_the_octave_before_a_rise_but_for_its_last_twentieth(void)
{
    double error;
    CU_ASSERT_DOUBLE_EQUAL(plateau_of(0, 0.01, 0.01, &error), 0.01, 1e-4);
    CU_ASSERT_DOUBLE_EQUAL(plateau_of(0, 0.01, 0.02, &error), 0.01, 1e-4);
    CU_ASSERT_DOUBLE_EQUAL(plateau_of(0.01, 0, 0, &error), 0, 1e-4);
}

/* 46 points, each with an error of 0.001 and as much again that is known of no load. */
static void the_error_of_a_plateau_is_that_of_its_mean(void)
{
    double error;
    plateau_of(0, 0, 0, &error);
    CU_ASSERT_DOUBLE_EQUAL(error, 0.001 * sqrt(2.0 / 46), 1e-6);
    curve.count = 0; /* where points scatter by ten times that, ten times as much */
    for (double n = 20; n <= 400; n += 1)
        add(n, n > 100 ? 1 : fmod(n, 2) < 1 ? 0.01 : -0.01, 0.001);
    CU_ASSERT_EQUAL_FATAL(knee_find(&curve, knees), 1);
    CU_ASSERT_DOUBLE_EQUAL(knees[0].plateau_error, 0.01 / sqrt(46), 1e-4);
    CU_ASSERT_DOUBLE_EQUAL(knees[0].significance, 1 / knees[0].plateau_error, 10);
}

/* Where the last twentieth is all there is, and where an octave has no three points. */
static void a_plateau_has_three_points_at_least(void)
{
    curve.count = 0;
    for (double n = 97; n <= 200; n += 1)
        add(n, n > 100 ? 1 : 0, 0.001);
    CU_ASSERT_EQUAL_FATAL(knee_find(&curve, knees), 1);
    CU_ASSERT_DOUBLE_EQUAL(knees[0].plateau_error, 0.001 * sqrt(2.0 / 3), 1e-6);
    CU_ASSERT_EQUAL_FATAL(find(step, 1, 0.001, 1.9), 1);
    CU_ASSERT_DOUBLE_EQUAL(knees[0].plateau_error, 0.001 * sqrt(2.0 / 3), 1e-6);
}

int main(void)
{
    TAP_SUITE(
        "thresholds of a knee",
        {"a step of a quarter of a load counts", a_step_of_a_quarter_of_a_load_counts},
        {"a point three errors above the plateau is on the rise",
         a_point_three_errors_above_the_plateau_is_on_the_rise},
        {"one of the two points behind the first may be unsure",
         one_of_the_two_points_behind_the_first_may_be_unsure},
        {"a point a fortieth of a load above the plateau is on the rise",
         a_point_a_fortieth_of_a_load_above_the_plateau_is_on_the_rise},
        {"three points six errors above the plateau are a rise",
         three_points_six_errors_above_the_plateau_are_a_rise},
        {"what takes longer than a factor of 3.2 for its half is cut at twice its size",
         what_takes_longer_than_a_factor_of_3_2_for_its_half_is_cut_at_twice_its_size},
        {"a step whose half lies a sixth beyond its foot is gradual",
         a_step_whose_half_lies_a_sixth_beyond_its_foot_is_gradual},
        {"the foot is a line through the lower half", the_foot_is_a_line_through_the_lower_half},
        {"a foot too short for a line is the middle of its bracket",
         a_foot_too_short_for_a_line_is_the_middle_of_its_bracket},
        {"a size on a rise lies between two points", a_size_on_a_rise_lies_between_two_points},
        {"a rise ends where an octave adds less than a tenth",
         a_rise_ends_where_an_octave_adds_less_than_a_tenth},
        {"a rise half as steep as before and after parts two levels",
         a_rise_half_as_steep_as_before_and_after_parts_two_levels},
        {"noise ends a rise only where it is no more than that",
         noise_ends_a_rise_only_where_it_is_no_more_than_that},
        {"a foot begins no more than a thirtieth before the rise",
         a_foot_begins_no_more_than_a_thirtieth_before_the_rise},
        {"a plateau has three points at least", a_plateau_has_three_points_at_least},
        {"the plateau is the octave before a rise, but for its last twentieth",
         the_plateau_is_the_octave_before_a_rise_but_for_its_last_twentieth},
        {"the error of a plateau is that of its mean", the_error_of_a_plateau_is_that_of_its_mean});
    return tap_run();
}
