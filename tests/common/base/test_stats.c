/* test_stats.c: order statistics against sorting and against values worked out by hand.
 *
 *     bin/.obj/plain/tests/common/base/test_stats
 */
#include "base/random.h"
#include "base/stats.h"
#include "tap.h"
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 2000 };

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Values of several kinds: any, many ties, sorted, reversed, all the same, organ pipes. */
static void fill(double *values, size_t n, int kind, struct random *random)
{
    for (size_t i = 0; i < n; i++)
        switch (kind) {
        case 0:
            values[i] = random_normal(random);
            break;
        case 1:
            values[i] = (double)random_below(random, 4);
            break;
        case 2:
            values[i] = (double)i;
            break;
        case 3:
            values[i] = (double)(n - i);
            break;
        case 4:
            values[i] = 7;
            break;
        default:
            values[i] = (double)(i < n / 2 ? i : n - i);
        }
}

static void test_select(void)
{
    static double values[MOST], sorted[MOST], copy[MOST];
    struct random random;
    random_seed(&random, 1, 0);
    for (int round = 0; round < 600; round++) {
        size_t n = 1 + random_below(&random, round < 300 ? 8 : MOST);
        fill(values, n, round % 6, &random);
        memcpy(sorted, values, sizeof sorted);
        qsort(sorted, n, sizeof *sorted, compare);
        size_t k = random_below(&random, n);
        memcpy(copy, values, sizeof copy);
        double got = stats_select(copy, n, k);
        bool parted = true; /* the smaller ones before, the larger after: quantiles rely on it */
        for (size_t i = 0; i < n; i++)
            parted = parted && (i <= k ? copy[i] <= got : copy[i] >= got);
        qsort(copy, n, sizeof *copy, compare);
        if (got != sorted[k] || !parted || memcmp(copy, sorted, n * sizeof *copy) != 0) {
            CU_FAIL("not the value that sorting gives");
            return;
        }
    }
    CU_PASS("all agree with sorting");
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

static void test_quantiles(void)
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

static void test_mad(void)
{
    double values[] = {1, 2, 4, 8, 16}, many[MOST];
    CU_ASSERT_EQUAL(stats_mad(values, 0), 0);
    CU_ASSERT_EQUAL(stats_mad(values, 1), 0);
    CU_ASSERT_DOUBLE_EQUAL(stats_mad(values, 5), 1.206 * 1.4826 * 3, 1e-12);
    CU_ASSERT_EQUAL(values[3], 8); /* left alone */
    for (size_t i = 0; i < MOST; i++)
        many[i] = 5;
    CU_ASSERT_EQUAL(stats_mad(many, MOST), 0);
}

/* Its purpose: the standard deviation of a normal law, for few values and many, whatever a third of
 * outliers says. */
static void test_mad_estimates(void)
{
    static const size_t sizes[] = {2, 3, 5, 9, 10, 15, 101};
    double values[101];
    struct random random;
    random_seed(&random, 2, 0);
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        double sum = 0;
        for (int round = 0; round < 20000; round++) {
            for (size_t i = 0; i < sizes[s]; i++)
                values[i] = 3 * random_normal(&random);
            sum += stats_mad(values, sizes[s]);
        }
        CU_ASSERT_DOUBLE_EQUAL(sum / 20000, 3, 0.06);
    }
}

/* Points on 3 + 2x except one, which counts double: its pull and the residual, worked out by hand.
 */
static void test_line(void)
{
    struct line_sums sums = {0};
    stats_line_add(&sums, 1, 0, 3);
    stats_line_add(&sums, 1, 3, 9);
    struct line_fit line = stats_line(&sums);
    CU_ASSERT_DOUBLE_EQUAL(line.slope, 2, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(line.y - line.slope * line.x, 3, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(line.yy - line.slope * line.xy, 0, 1e-12);
    stats_line_add(&sums, 2, 3, 12);
    line = stats_line(&sums);
    CU_ASSERT_EQUAL(line.weight, 4);
    CU_ASSERT_DOUBLE_EQUAL(line.x, 2.25, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(line.slope, 8.0 / 3, 1e-12); /* from 3 to the mean of 9, 12 and 12 */
    CU_ASSERT_DOUBLE_EQUAL(line.yy - line.slope * line.xy, 6, 1e-12);
}

static void test_no_line(void)
{
    struct line_sums sums = {0};
    for (int i = 0; i < 9; i++)
        stats_line_add(&sums, 0.1 * i, 1.1, i);
    CU_ASSERT_EQUAL(stats_line(&sums).slope, 0);
}

int main(void)
{
    TAP_SUITE(
        "stats", {"selection gives the n-th smallest", test_select},
        {"quantiles interpolate between samples", test_quantiles},
        {"the median absolute deviation is that of its definition", test_mad},
        {"the median absolute deviation estimates the standard deviation", test_mad_estimates},
        {"a line goes through the weighted means", test_line},
        {"no slope where all x are the same", test_no_line});
    return tap_run();
}
