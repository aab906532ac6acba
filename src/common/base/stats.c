/* stats.c: order statistics, the mean, and straight lines by least squares. */
#include "base/stats.h"
#include "base/error.h"
#include "base/random.h"
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* If the squares about the mean are below this share of all squares, they are rounding errors and
 * all x are equal. */
static const double same_x = 1e-12;

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

double stats_mad(const double *values, size_t n)
{
    static const double small[] = {0, 0, 1.196, 1.495, 1.363, 1.206, 1.200, 1.140, 1.129, 1.107};
    if (n < 2)
        return 0;
    double *off = allocate(n, sizeof *off), median = stats_median(values, n);
    for (size_t i = 0; i < n; i++)
        off[i] = fabs(values[i] - median);
    double factor = n < 10 ? small[n] : (double)n / ((double)n - 0.8);
    double mad = factor * 1.4826 * quantile(off, n, 0.5);
    free(off);
    return mad;
}

double stats_mean(const double *values, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += values[i];
    return sum / (double)n;
}

void stats_line_add(struct line_sums *sums, double weight, double x, double y)
{
    sums->weight += weight;
    sums->x += weight * x;
    sums->y += weight * y;
    sums->xx += weight * x * x;
    sums->xy += weight * x * y;
    sums->yy += weight * y * y;
}

struct line_fit stats_line(const struct line_sums *s)
{
    struct line_fit line = {.weight = s->weight, .x = s->x / s->weight, .y = s->y / s->weight};
    line.xx = s->xx - s->x * line.x;
    line.xy = s->xy - s->x * line.y;
    line.yy = s->yy - s->y * line.y;
    line.slope = line.xx > same_x * s->xx ? line.xy / line.xx : 0;
    return line;
}
