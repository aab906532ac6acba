/* stats.c: order statistics. */
#include "base/stats.h"
#include "base/error.h"
#include "base/random.h"
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Moves the values from `low` to `high` - 1 that are below a pivot, or not above it, in front of
 * the others; returns where the others begin. Branchless, as the branch would be unpredictable
 * (Lomuto's partition). */
static size_t partition(double *values, size_t low, size_t high, double pivot, bool with_equal)
{
    for (size_t i = low; i < high; i++) {
        double value = values[i];
        values[i] = values[low];
        values[low] = value;
        low += with_equal ? value <= pivot : value < pivot;
    }
    return low;
}

/* Selection (Hoare 1961). The pivot is the median of three at pseudo-random positions: after
 * partitioning sorted values, the middle and the ends would make a bad pivot every time. */
double stats_select(double *values, size_t n, size_t k)
{
    size_t low = 0, high = n;
    for (;;) {
        uint64_t places = random_mix(low, high), span = high - low;
        double a = values[low + places % span], b = values[low + (places >> 20) % span];
        double c = values[low + (places >> 40) % span];
        double pivot = fmax(fmin(a, b), fmin(fmax(a, b), c));
        size_t below = partition(values, low, high, pivot, false);
        if (k < below)
            high = below;
        else if (below > low)
            low = below;
        else if (k < (low = partition(values, low, high, pivot, true)) || low == below)
            return values[k]; /* the pivot, or a NaN */
    }
}

/* Reorders the values, of which there is at least one. */
static double quantile(double *values, size_t n, double q)
{
    double place = q * (double)(n - 1);
    size_t below = (size_t)place;
    double low = stats_select(values, n, below);
    if (below + 1 >= n || place <= (double)below)
        return low;
    double high = values[below + 1]; /* stats_select() puts the larger values after `below` */
    for (size_t i = below + 2; i < n; i++)
        if (values[i] < high)
            high = values[i];
    return low + (place - (double)below) * (high - low);
}

double stats_quantile(const double *values, size_t n, double q)
{
    if (n == 0)
        return NAN;
    double *copy = allocate(n, sizeof *copy);
    memcpy(copy, values, n * sizeof *copy);
    double value = quantile(copy, n, q);
    free(copy);
    return value;
}

double stats_median(const double *values, size_t n)
{
    return stats_quantile(values, n, 0.5);
}
