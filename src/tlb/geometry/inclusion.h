/* inclusion.h: whether the second level of a TLB is inclusive or exclusive of the first. */
#ifndef TLBLAB_GEOMETRY_INCLUSION_H
#define TLBLAB_GEOMETRY_INCLUSION_H

#include "tlb/geometry/index_hash.h"
#include "tlb/geometry/stride_profile.h"
#include <stdbool.h>
#include <stdint.h>

/* Pages that conflict in one set of the second level, while the first level can hold more of them
 * than the set. The relation determines which level misses at how many pages. */
struct conflict {
    uint64_t stride;       /* in pages; 0: no such stride is known */
    uint64_t inclusive_at; /* pages that fit into the first level, but not into the set */
    uint64_t first, last;  /* from one more than the first level holds to more than both hold */
};
struct conflict conflict_of(const struct stride_profile *profile, const struct index_hash *hash);

/* The relation, from such pages. Inclusive: the first level loses pages that it could hold.
 * Exclusive: both levels together hold more than the first alone, by *ways. `level1_full`: the
 * first level is fully associative, so *ways may include pages that it held. NULL if such pages
 * were not measured. */
const char *inclusion_by_conflict(const struct stride_profile *profile,
                                  const struct conflict *conflict, bool level1_full, double *ways);

/* The relation without such pages: an exclusive second level adds its entries to the first's, both
 * in each set and in total. Sets *ways to NaN if the data do not decide. */
const char *inclusion_by_sum(const struct stride_profile *profile, double level1_ways, double sets,
                             double *ways);

/* Whether the first level's reach falls only because the second level is inclusive: pages evicted
 * from a full set of the second level leave the first too, so both reaches fall together. */
bool inclusion_makes_fall(const struct stride_profile *profile);

#endif
