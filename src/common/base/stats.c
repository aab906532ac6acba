/* stats.c: order statistics, the mean, and straight lines by least squares. */
#include "base/stats.h"
#include <math.h>

/* Squares about the mean below this share of all squares are rounding errors: all x are equal. */
static const double same_x = 1e-12;

static void swap(double *a, double *b)
{
    double kept = *a;
    *a = *b;
    *b = kept;
}

/* Hoare's selection (Hoare 1961) with the median of three as pivot. */
double stats_select(double *values, size_t n, size_t k)
{
    size_t low = 0, high = n - 1;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (values[middle] < values[low])
            swap(&values[middle], &values[low]);
        if (values[high] < values[low])
            swap(&values[high], &values[low]);
        if (values[high] < values[middle])
            swap(&values[high], &values[middle]);
        double pivot = values[middle];
        size_t i = low, j = high;
        for (;;) {
            while (values[i] < pivot)
                i++;
            while (values[j] > pivot)
                j--;
            if (i >= j)
                break;
            swap(&values[i++], &values[j--]);
        }
        if (k <= j)
            high = j;
        else
            low = j + 1;
    }
    return values[k];
}

double stats_quantile(double *values, size_t n, double q)
{
    if (n == 0)
        return NAN;
    double place = q * (double)(n - 1);
    size_t below = (size_t)place;
    double low = stats_select(values, n, below);
    if (below + 1 >= n || place <= (double)below)
        return low;
    double high = values[below + 1]; /* stats_select() puts the larger values behind `below` */
    for (size_t i = below + 2; i < n; i++)
        if (values[i] < high)
            high = values[i];
    return low + (place - (double)below) * (high - low);
}

double stats_median(double *values, size_t n)
{
    return stats_quantile(values, n, 0.5);
}

double stats_mad(const double *values, size_t n, double centre, double *scratch)
{
    static const double small[] = {0, 0, 1.196, 1.495, 1.363, 1.206, 1.200, 1.140, 1.129, 1.107};
    if (n < 2)
        return 0;
    for (size_t i = 0; i < n; i++)
        scratch[i] = fabs(values[i] - centre);
    double factor = n < 10 ? small[n] : (double)n / ((double)n - 0.8);
    return factor * 1.4826 * stats_median(scratch, n);
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
