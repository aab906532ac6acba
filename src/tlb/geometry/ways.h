/* ways.h: the ways of a TLB level. */
#ifndef TLBLAB_GEOMETRY_WAYS_H
#define TLBLAB_GEOMETRY_WAYS_H

#include <stdbool.h>
#include <stddef.h>

struct stride_profile;

struct ways {
    double count; /* maximum number of pages of one set that fit at once; NaN: unknown */
    bool sharp;   /* one more page makes most of them miss */
    bool exact;   /* sharp, or noise would not have hidden the first misses, or no other number
                     fits about as well */
    bool uneven;  /* most sets hold fewer: interference occupies entries there all the time */
};

/* The ways of a level (0 or 1), from the curve of the targets in the sets that hold the most: the
 * number, and the replacement rule, whose misses (miss_curve.h) fit it best. */
struct ways ways_of(const struct stride_profile *profile, size_t level);

#endif
