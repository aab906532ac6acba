/* stats.h: order statistics. */
#ifndef TLBLAB_BASE_STATS_H
#define TLBLAB_BASE_STATS_H

#include <stddef.h>

/* The k-th smallest (from 0) of n values, by quickselect; reorders the values. n > k. */
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

#endif
