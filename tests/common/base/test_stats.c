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

int main(void)
{
    TAP_SUITE("stats", {"selection gives the n-th smallest", test_select},
              {"quantiles interpolate between samples", test_quantiles});
    return tap_run();
}
