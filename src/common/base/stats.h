/* stats.h: order statistics, and the signed-rank test. */
#ifndef TLBLAB_BASE_STATS_H
#define TLBLAB_BASE_STATS_H

#include <stddef.h>

/* The k-th smallest (from 0) of n values, which it sorts. n > k. */
double stats_select(double *values, size_t n, size_t k);

/* The q-quantile (0 … 1) with linear interpolation between order statistics (type 7 of Hyndman &
 * Fan 1996). NaN for n = 0. */
double stats_quantile(const double *values, size_t n, double q);
double stats_median(const double *values, size_t n);

/* Quartile of the normal distribution, in standard deviations. [physics] */
#define STATS_QUARTILE 0.6745

/* Standard error of a median relative to that of a mean, for normal errors: sqrt(pi / 2).
 * [physics] */
#define STATS_MEDIAN_ERROR 1.2533

/* The Wilcoxon signed-rank test (Wilcoxon 1945) and the corresponding interval (Hodges & Lehmann
 * 1963): locates the centre of differences that need not be normal. */
struct signed_rank {
    double estimate;  /* median of the means of all pairs of values */
    double low, high; /* contains the centre with at least the requested confidence; infinite if
                         there are too few values */
};

/* The interval is exact for independent, symmetrically distributed values. n ≤ 1000. */
struct signed_rank signed_rank(const double *values, size_t n, double confidence);

/* The minimum number of values for a finite interval. */
size_t signed_rank_min(double confidence);

#endif
