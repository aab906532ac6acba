/* stats.h: order statistics, and the mean. */
#ifndef TLBLAB_BASE_STATS_H
#define TLBLAB_BASE_STATS_H

#include <stddef.h>

/* The k-th smallest (from 0) of n values, by quickselect; reorders the values. n > k. */
double stats_select(double *values, size_t n, size_t k);

/* The q-quantile (0 … 1) with linear interpolation between order statistics (type 7 of Hyndman &
 * Fan 1996); reorders. NaN for n = 0. */
double stats_quantile(double *values, size_t n, double q);
double stats_median(double *values, size_t n);

double stats_mean(const double *values, size_t n);

/* Median absolute deviation around `centre`, the median of the values, scaled to estimate the
 * standard deviation of a normal law without bias for few values too (Croux & Rousseeuw 1992); uses
 * `scratch` of n values. 0 for n < 2. */
double stats_mad(const double *values, size_t n, double centre, double *scratch);

#endif
