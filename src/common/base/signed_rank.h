/* signed_rank.h: the Wilcoxon signed-rank test (Wilcoxon 1945) and the corresponding interval
 * (Hodges & Lehmann 1963): locates the centre of differences that need not be normal. */
#ifndef TLBLAB_BASE_SIGNED_RANK_H
#define TLBLAB_BASE_SIGNED_RANK_H

#include <stddef.h>

struct signed_rank {
    double estimate;  /* median of the means of all pairs of values */
    double low, high; /* contains the centre with at least the requested confidence; infinite if
                         there are too few values */
};

/* The interval is exact for independent, symmetrically distributed values. n ≤ 1000. */
struct signed_rank signed_rank(const double *values, size_t n, double confidence);

/* The minimum number of values for a finite interval. */
size_t signed_rank_least(double confidence);

#endif
