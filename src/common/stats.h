/* stats.h: order statistics. */
#ifndef TLBLAB_STATS_H
#define TLBLAB_STATS_H

#include <stddef.h>

/* The k-th smallest (from 0) of n values, by quickselect; reorders the values. n > k. */
double stats_select(double *values, size_t n, size_t k);

/* The q-quantile (0 … 1) with linear interpolation between order statistics (type 7 of Hyndman &
 * Fan 1996); reorders. NaN for n = 0. */
double stats_quantile(double *values, size_t n, double q);
double stats_median(double *values, size_t n);

/* Median absolute deviation × 1.4826 (the standard deviation's estimate under a normal law) around
 * `centre`; uses `scratch` of n values. 0 for n < 2. */
double stats_mad(const double *values, size_t n, double centre, double *scratch);

#endif
