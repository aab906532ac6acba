/* stats.c: order statistics, and the Wilcoxon signed-rank test. */
#include "base/stats.h"
#include "base/error.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double stats_select(double *values, size_t n, size_t k)
{
    qsort(values, n, sizeof *values, compare);
    return values[k];
}

double stats_quantile(const double *values, size_t n, double q)
{
    if (n == 0)
        return NAN;
    double *sorted = allocate(n, sizeof *sorted), place = q * (double)(n - 1);
    size_t below = (size_t)place;
    memcpy(sorted, values, n * sizeof *sorted);
    double low = stats_select(sorted, n, below);
    double high = below + 1 < n && place > (double)below ? sorted[below + 1] : low;
    free(sorted);
    return high > low ? low + (place - (double)below) * (high - low) : low;
}

double stats_median(const double *values, size_t n)
{
    return stats_quantile(values, n, 0.5);
}

/* ---- signed ranks ---- */

/* The probability that the ranks of positive values sum to at most w, each rank being in the sum
 * with probability 1/2. */
static double *distribution(size_t n)
{
    size_t max = n * (n + 1) / 2;
    double *p = allocate(max + 1, sizeof *p);
    p[0] = 1;
    for (size_t rank = 1; rank <= n; rank++)
        for (size_t w = max + 1; w-- > 0;)
            p[w] = (p[w] + (w >= rank ? p[w - rank] : 0)) / 2;
    for (size_t w = 1; w <= max; w++)
        p[w] += p[w - 1];
    return p;
}

/* How many of the smallest, and of the largest, pair means are outside the interval. */
static size_t outside(size_t n, double confidence)
{
    double *p = distribution(n), tail = (1 - confidence) / 2;
    size_t count = 0;
    while (count <= n * (n + 1) / 2 && p[count] <= tail)
        count++;
    free(p);
    return count;
}

size_t signed_rank_min(double confidence)
{
    size_t n = 1;
    while (outside(n, confidence) == 0)
        n++;
    return n;
}

struct signed_rank signed_rank(const double *values, size_t n, double confidence)
{
    struct signed_rank r = {NAN, -INFINITY, INFINITY};
    size_t count = 0, cut;
    if (n == 0)
        return r;
    double *means = allocate(n * (n + 1) / 2, sizeof *means);
    for (size_t i = 0; i < n; i++)
        for (size_t k = i; k < n; k++)
            means[count++] = (values[i] + values[k]) / 2;
    qsort(means, count, sizeof *means, compare);
    r.estimate = (means[(count - 1) / 2] + means[count / 2]) / 2;
    cut = outside(n, confidence);
    if (cut > 0) {
        r.low = means[cut - 1];
        r.high = means[count - cut];
    }
    free(means);
    return r;
}
