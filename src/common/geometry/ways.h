/* ways.h: how many pages of one set a level of the TLB holds. */
#ifndef TLBLAB_GEOMETRY_WAYS_H
#define TLBLAB_GEOMETRY_WAYS_H

#include "geometry/stride_profile.h"
#include <stdbool.h>

struct ways {
    double count; /* pages of one set, at the most, that a level holds all of; NaN: not known */
    bool sharp;   /* one more makes most of them miss */
    bool uneven;  /* most sets hold fewer: somebody else has entries there all the time */
};

/* What the curve of the targets shows of a level (0 or 1), by those sets that hold most. */
struct ways ways_of(const struct stride_profile *profile, size_t level);

#endif
