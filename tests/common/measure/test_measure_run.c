/* test_measure_run.c: the loop over points, on a machine and by a clock that the test sets: what is
 * announced, when the budget ends, how it learns its pace. */
#include "simulated_clock.h"

#include "access/layout.h"
#include "measure/run.c"
#include "named.h"
#include "tap.h"
#include <string.h>

enum { POINTS = 10 };

static struct {
    double takes_s, estimated_s; /* a sample */
    size_t measured;
} made;

static const char *refuses(void *self, const struct point *point)
{
    (void)self;
    return point->pages == 13 ? "it is superstitious" : NULL;
}

static double estimate(void *self, const struct point *point)
{
    (void)self;
    (void)point;
    return made.estimated_s;
}

static void measure(void *self, const struct point *point, struct sample *sample)
{
    (void)self;
    *sample = (struct sample){.point = *point, .ns = (double)point->pages};
    simulated.now_ns += made.takes_s * 1e9;
    made.measured++;
}

static const struct machine machine = {
    .refuses = refuses, .estimate_s = estimate, .measure = measure};

static struct point points[POINTS];
static struct series series;

/* Ten points of this many nodes and one more each, on that machine. */
static bool run_of(uint64_t pages, double takes_s, double estimated_s, double budget_s)
{
    struct run_options options = {.machine = &machine, .budget_s = budget_s, .no_table = true};
    memset(&simulated, 0, sizeof simulated);
    made.takes_s = takes_s;
    made.estimated_s = estimated_s;
    made.measured = 0;
    for (uint64_t i = 0; i < POINTS; i++)
        points[i] = point_of("line", pages + i, 64);
    series_init(&series);
    struct run *run = run_begin(&options, points, POINTS, run_columns(points, POINTS));
    bool complete = run_points(run, &(struct points){points, POINTS}, 1, &series);
    run_end(run);
    return complete;
}

TEST(every_point_is_measured_and_kept)
{
    CU_ASSERT_TRUE(run_of(100, 1, 1, INFINITY));
    CU_ASSERT_EQUAL(made.measured, POINTS);
    CU_ASSERT_EQUAL(series.count, POINTS);
    series_free(&series);
}

TEST(a_sample_that_does_not_fit_into_the_budget_is_not_begun)
{
    CU_ASSERT_FALSE(run_of(100, 1, 1, 4.5));
    CU_ASSERT_EQUAL(made.measured, 4);
    series_free(&series);
    CU_ASSERT_TRUE(run_of(100, 1, 1, 10));
    series_free(&series);
}

/* Samples take three times what was estimated: after the first that is known, and after three of
 * them, 9 s, a fourth does not fit into 11. */
TEST(the_pace_is_learnt_from_the_samples_before)
{
    CU_ASSERT_FALSE(run_of(100, 3, 1, 11));
    CU_ASSERT_EQUAL(made.measured, 3);
    series_free(&series);
    CU_ASSERT_FALSE(run_of(100, 0.5, 1, 4.9)); /* or they are quicker */
    CU_ASSERT_EQUAL(made.measured, 9);
    series_free(&series);
}

TEST(the_first_hundredths_of_a_second_give_no_pace)
{
    CU_ASSERT_FALSE(run_of(100, 0.1, 0.002, 0.9)); /* 0.02 are estimated at the end alone */
    CU_ASSERT_EQUAL(made.measured, 9);
    series_free(&series);
}

static void run_long(void)
{
    run_of(100, 2.1, 2.1, INFINITY);
}

static void run_short(void)
{
    run_of(100, 1.9, 1.9, INFINITY);
}

static void run_long_within_a_budget(void)
{
    run_of(100, 100, 100, 15);
}

static void run_long_quietly(void)
{
    args_quiet = true;
    run_long();
}

TEST(a_run_of_more_than_twenty_seconds_is_announced)
{
    char output[256];
    tap_fork(run_long, "", output, sizeof output);
    CU_ASSERT_PTR_NOT_NULL(strstr(output, "10 samples, about 21 s"));
    tap_fork(run_short, "", output, sizeof output);
    CU_ASSERT_STRING_EQUAL(output, "");
    tap_fork(run_long_within_a_budget, "", output, sizeof output);
    CU_ASSERT_STRING_EQUAL(output, "");
    tap_fork(run_long_quietly, "", output, sizeof output);
    CU_ASSERT_STRING_EQUAL(output, "");
}

static void run_refused(void)
{
    run_of(4, 1, 1, INFINITY); /* 13 is the last of them */
    series_free(&series);
}

TEST(what_the_machine_refuses_ends_the_run_before_it_measures)
{
    CU_ASSERT_TRUE(tap_refuses(run_refused, "", "13 pages: it is superstitious"));
}

TEST(columns_are_those_that_any_point_wants)
{
    struct point three[3];
    run_of(100, 1, 1, INFINITY);
    series_free(&series);
    memcpy(three, points, sizeof three);
    CU_ASSERT_EQUAL(run_columns(three, 3), 0);
    three[0].kernel = &kernels[KERNEL_LINEAR];
    three[1].targets = 1;
    three[2].chains = 2;
    CU_ASSERT_EQUAL(run_columns(three, 3), SAMPLE_LAB | SAMPLE_SET | SAMPLE_CHAINS);
}
