/* stats.h: order statistics, the mean, and straight lines by least squares. */
#ifndef TLBLAB_BASE_STATS_H
#define TLBLAB_BASE_STATS_H

#include <stddef.h>

/* The k-th smallest (from 0) of n values, by quickselect; reorders the values. n > k. */
double stats_select(double *values, size_t n, size_t k);

/* The q-quantile (0 … 1) with linear interpolation between order statistics (type 7 of Hyndman &
 * Fan 1996). NaN for n = 0. */
double stats_quantile(const double *values, size_t n, double q);
double stats_median(const double *values, size_t n);

double stats_mean(const double *values, size_t n);

/* Quartile of the normal distribution, in standard deviations. [physics] */
#define STATS_QUARTILE 0.6745

/* Standard error of a median relative to that of a mean, for normal errors: sqrt(pi / 2).
 * [physics] */
#define STATS_MEDIAN_ERROR 1.2533

/* Median absolute deviation about the median, scaled to estimate the standard deviation of a normal
 * distribution, unbiased even for few values (Croux & Rousseeuw 1992). 0 for n < 2. */
double stats_mad(const double *values, size_t n);

/* Sums over weighted points (x, y), from which stats_line() fits a line. */
struct line_sums {
    double weight, x, y, xx, xy, yy;
};
void stats_line_add(struct line_sums *sums, double weight, double x, double y);

/* A line by weighted least squares (any textbook of linear regression). (x, y) are the weighted
 * means; xx, xy and yy are the weighted sums of squares and products about them. The slope is xy /
 * xx, or 0 if all x are equal up to rounding. The residual sum of squares is yy - slope * xy. For
 * errors of variance v / weight the slope has variance v / xx, and the line at x + d has v (1 /
 * weight + d * d / xx). */
struct line_fit {
    double weight, x, y, xx, xy, yy, slope;
};
struct line_fit stats_line(const struct line_sums *sums);

#endif
