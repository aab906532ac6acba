/* inclusion.h: how the second level of a TLB is related to the first. */
#ifndef TLBLAB_GEOMETRY_INCLUSION_H
#define TLBLAB_GEOMETRY_INCLUSION_H

#include "geometry/index_hash.h"
#include "geometry/stride_profile.h"
#include <stdbool.h>
#include <stdint.h>

/* Pages of one set of the second level, of which the first can hold more: at how many of them which
 * level misses depends on how the two are related. */
struct conflict {
    uint64_t stride;       /* in pages; 0 where there is none that is known */
    uint64_t inclusive_at; /* so many fit into the first level alone */
    uint64_t first, last;  /* from one more than that holds to more than both hold */
};
struct conflict conflict_of(const struct stride_profile *profile, const struct index_hash *folds);

/* Where the first level can hold more pages of a set than the second: inclusive when it loses them
 * all the same, exclusive when both together hold more than it alone, as many as *ways more.
 * `first_full`: it is fully associative, so that *ways may count what it held. */
const char *inclusion_by_conflict(const struct stride_profile *profile,
                                  const struct conflict *conflict, bool first_full, double *ways);

/* Else by what fits together: an exclusive second level adds to the pages of the first, in each set
 * and in all. Where it is not clear whether it does, *ways are not known: NaN. */
const char *inclusion_by_sum(const struct stride_profile *profile, double first_ways, double sets,
                             double *ways);

/* An inclusive second level that runs out of room in a set takes the pages out of the first too, so
 * that both seem to hold as little: no fall of the first level's own. */
bool inclusion_makes_fall(const struct stride_profile *profile);

#endif
