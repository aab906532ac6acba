/* signed_rank.h: the Wilcoxon signed-rank test (Wilcoxon 1945) and the interval that belongs to it
 * (Hodges & Lehmann 1963): where is the middle of differences that need not be normal? */
#ifndef TLBLAB_BASE_SIGNED_RANK_H
#define TLBLAB_BASE_SIGNED_RANK_H

#include <stddef.h>

struct signed_rank {
    double estimate;  /* median of the means of all pairs of values */
    double low, high; /* holds the middle with at least the confidence asked for; infinite where
                         there are too few values for that */
};

/* The interval is exact for independent values that are distributed symmetrically. n ≤ 1000. */
struct signed_rank signed_rank(const double *values, size_t n, double confidence);

/* The fewest values whose interval is finite. */
size_t signed_rank_least(double confidence);

#endif
