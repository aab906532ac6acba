/* test_stats.c: order statistics against values worked out by hand; the signed-rank interval
 * against published tables and by repetition.
 *
 *     bin/.obj/plain/tests/common/base/test_stats
 */
#include "base/random.h"
#include "base/stats.h"
#include "tap.h"
#include <math.h>
#include <stdarg.h>

TEST(selection_gives_the_n_th_smallest)
{
    double values[] = {3, 1, 2, 1};
    CU_ASSERT_EQUAL(stats_select(values, 4, 0), 1);
    CU_ASSERT_EQUAL(stats_select(values, 4, 1), 1);
    CU_ASSERT_EQUAL(stats_select(values, 4, 2), 2);
    CU_ASSERT_EQUAL(stats_select(values, 4, 3), 3);
}

static double quantile_of(double q, size_t n, ...)
{
    double values[16] = {0};
    va_list arguments;
    va_start(arguments, n);
    for (size_t i = 0; i < n; i++)
        values[i] = va_arg(arguments, double);
    va_end(arguments);
    double first = values[0], value = stats_quantile(values, n, q);
    CU_ASSERT_EQUAL(values[0], first); /* the order is kept */
    return value;
}

TEST(quantiles_interpolate_between_samples)
{
    CU_ASSERT_TRUE(isnan(quantile_of(0.5, 0)));
    CU_ASSERT_EQUAL(quantile_of(0, 1, 3.0), 3);
    CU_ASSERT_EQUAL(quantile_of(0.7, 1, 3.0), 3);
    CU_ASSERT_EQUAL(quantile_of(1, 1, 3.0), 3);
    CU_ASSERT_EQUAL(quantile_of(0.5, 2, 4.0, 2.0), 3);
    CU_ASSERT_EQUAL(quantile_of(0.25, 4, 4.0, 3.0, 2.0, 1.0), 1.75);
    CU_ASSERT_EQUAL(quantile_of(0.5, 4, 4.0, 3.0, 2.0, 1.0), 2.5);
    CU_ASSERT_EQUAL(quantile_of(0, 4, 4.0, 3.0, 2.0, 1.0), 1);
    CU_ASSERT_EQUAL(quantile_of(1, 4, 4.0, 3.0, 2.0, 1.0), 4);
    CU_ASSERT_DOUBLE_EQUAL(quantile_of(0.1, 5, 10.0, 50.0, 20.0, 40.0, 30.0), 14, 1e-12);
    CU_ASSERT_EQUAL(quantile_of(0.5, 5, 1.0, 1.0, 1.0, 9.0, 9.0), 1);
    CU_ASSERT_EQUAL(quantile_of(0.5, 3, 1.0, 1e308, 2.0), 2);
}

/* ---- signed ranks ---- */

/* 10 values, 95 per cent: the critical value of the tables is 8, so nine means are outside on each
 * side. For 1, 2, 4, … 512 the means are sorted by hand: 1 1.5 2 2.5 3 4 4.5 5 6 … */
TEST(intervals_of_signed_ranks_are_those_of_the_tables)
{
    double values[10];
    for (int i = 0; i < 10; i++)
        values[i] = (double)(1 << i);
    struct signed_rank r = signed_rank(values, 10, 0.95);
    CU_ASSERT_DOUBLE_EQUAL(r.low, 6, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(r.high, (512 + 2) / 2.0, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(signed_rank(values, 5, 0.90).low, 1, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(signed_rank(values, 5, 0.90).high, 16, 1e-12);
    CU_ASSERT(isinf(signed_rank(values, 5, 0.95).low));
    CU_ASSERT_EQUAL(signed_rank_min(0.95), 6);
    CU_ASSERT_EQUAL(signed_rank_min(0.99), 8);
    CU_ASSERT(isnan(signed_rank(values, 0, 0.95).estimate));
}

/* The estimate of 1 2 10 is the median of 1 1.5 2 5.5 6 10. */
TEST(their_estimate_is_the_median_of_the_means_of_pairs)
{
    static const double values[] = {10, 1, 2};
    CU_ASSERT_DOUBLE_EQUAL(signed_rank(values, 3, 0.5).estimate, 3.75, 1e-12);
}

/* The interval holds the true middle as often as it says, and one wild value does not move it far.
 */
TEST(they_hold_the_middle_as_often_as_they_say)
{
    enum { TRIALS = 2000, N = 12 };
    struct random random;
    int held = 0;
    random_seed(&random, 2, 2);
    for (int trial = 0; trial < TRIALS; trial++) {
        double values[N];
        for (int i = 0; i < N; i++)
            values[i] = 5 + random_normal(&random) * (i % 3 == 0 ? 10 : 1);
        struct signed_rank r = signed_rank(values, N, 0.9);
        held += r.low <= 5 && r.high >= 5;
    }
    CU_ASSERT(held >= 0.88 * TRIALS);
    CU_ASSERT(held <= 0.94 * TRIALS);
    double values[] = {1, 1.1, 0.9, 1.05, 0.95, 1.02, 0.98, 1e6};
    CU_ASSERT(signed_rank(values, 8, 0.9).estimate < 1.1);
}
