/* stride_profile.h: what the levels of a TLB hold of pages that lie far apart.
 *
 * Pages 2^k pages apart use only those sets that the bits above the lowest k select. How capacity
 * falls with k is a level's profile: with a linear index it halves from k = 1 on until one set is
 * left; where higher bits are folded into the index (xor) it halves later; when it never falls the
 * level is fully associative, or its index is hashed. */
#ifndef TLBLAB_GEOMETRY_STRIDE_PROFILE_H
#define TLBLAB_GEOMETRY_STRIDE_PROFILE_H

#include "access/series.h"
#include "curve/curve.h"
#include "detect/boundary.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { STRIDE_PROFILE_LEVELS = 2, STRIDE_PROFILE_STRIDES = 20 }; /* [bound] */

struct stride_profile {
    const struct series *series;
    struct point page; /* one of the curve with neighbouring pages */
    size_t levels;     /* found there, the first two at most */
    double entries[STRIDE_PROFILE_LEVELS], least[STRIDE_PROFILE_LEVELS],
        most[STRIDE_PROFILE_LEVELS]; /* and its range */
    enum confidence sure[STRIDE_PROFILE_LEVELS];
    double noise, load_ns; /* spread of one page minus packed, and time of a load, in the middle */
    double
        ns[STRIDE_PROFILE_LEVELS + 1]; /* over `packed` when nothing, the first level, both miss */
    double early[STRIDE_PROFILE_LEVELS]; /* neighbouring pages of which a tenth miss */
    int strides;                         /* largest k that is known for all levels */
    double reach[STRIDE_PROFILE_LEVELS]
                [STRIDE_PROFILE_STRIDES + 1]; /* pages 2^k apart of which half miss */
};

/* The levels, and their reach at k = 0. */
struct stride_profile stride_profile_open(const struct series *series, const struct point *page);

/* The reach at k, from pages that far apart; where the second level's is hidden (the first holds as
 * many) from sets of them among others. False when it is not known yet. */
bool stride_profile_add(struct stride_profile *profile, int k);

/* Whether the second level's reach at k cannot be seen with pages alone. */
bool stride_profile_hidden(const struct stride_profile *profile, int k);

/* All levels have kept their reach for three k, after the second fell. */
bool stride_profile_settled(const struct stride_profile *profile);

/* Where a level's capacity ends to be that at k = 0, and from where on it falls no further; both 0
 * when it does not fall. */
void stride_profile_fall(const struct stride_profile *profile, size_t level, int *from, int *to);

/* Pages of other sets that flush the first level. */
uint64_t stride_profile_others(const struct stride_profile *profile);

/* Such others for pages 2^k pages apart: 0 where the second level's reach shows without them. */
uint64_t stride_profile_others_at(const struct stride_profile *profile, int k);

/* Page number of the i-th of so many others beside targets 2^k pages apart, from the first target;
 * in sample 0, where that is page 0. */
uint64_t stride_profile_other_page(const struct stride_profile *profile, int k, uint64_t others,
                                   uint64_t i);

/* Targets `spacing` bytes apart among others, each visited so many times in a chain: the time of a
 * load over `packed`, by the number of targets. */
struct curve stride_profile_targets(const struct stride_profile *profile, uint64_t spacing,
                                    uint64_t others, uint64_t rounds);

/* The same once each, of those sets in which nobody else holds entries (curve_freest()); up to so
 * many targets as `fits` all fit in any case. */
struct curve stride_profile_freest(const struct stride_profile *profile, uint64_t spacing,
                                   uint64_t others, double fits);

/* The share of targets that miss in both levels, by the medians; NaN when it was not measured. */
double stride_profile_missing(const struct stride_profile *profile, uint64_t spacing,
                              uint64_t others, uint64_t targets);

/* How many samples show whether `targets` among `others` miss in the second level; `least` where
 * that is no question. */
uint64_t stride_profile_samples(const struct stride_profile *profile, double targets,
                                uint64_t others, uint64_t least);

/* The first size of a curve that goes half the way from `low` to `high`; NaN when none does. */
double stride_profile_crossing(const struct curve *curve, double low, double high);

#endif
