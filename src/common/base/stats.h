/* stats.h: order statistics, the mean, and the straight line. */
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

/* The standard error of a median by that of a mean, where errors are normal: the root of pi / 2.
 * [physics] */
#define STATS_MEDIAN_ERROR 1.2533

/* Median absolute deviation around `centre`, the median of the values, scaled to estimate the
 * standard deviation of a normal law without bias for few values too (Croux & Rousseeuw 1992); uses
 * `scratch` of n values. 0 for n < 2. */
double stats_mad(const double *values, size_t n, double centre, double *scratch);

/* A straight line by weighted least squares: sums over points (x, y) first, then what follows. */
struct line_sums {
    double weight, x, y, xx, xy, yy;
};
void stats_line_add(struct line_sums *sums, double weight, double x, double y);

/* The line goes through the means (x, y); xx, xy and yy are the weighted squares and products about
 * them. The slope is xy / xx, 0 where all x are (nearly) the same. What is left of the squares is
 * yy - slope * xy. For errors of variance v / weight the variance of the slope is v / xx, and that
 * of the line at x + d is v (1 / weight + d * d / xx). */
struct line_fit {
    double weight, x, y, xx, xy, yy, slope;
};
struct line_fit stats_line(const struct line_sums *sums);

#endif
