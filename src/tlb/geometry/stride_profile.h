/* stride_profile.h: how many pages a power of two apart each level of a TLB holds.
 *
 * Pages 2^k pages apart use only the sets that the bits above the lowest k select. The profile of a
 * level is its reach by k. With a linear index reach halves from k = 1 on until one set is left,
 * and stays where the index leaves out a bit.
 * Where higher bits are folded into the index (xor) it begins to halve later. Where it never falls,
 * the level is fully associative or its index is hashed. */
#ifndef TLBLAB_GEOMETRY_STRIDE_PROFILE_H
#define TLBLAB_GEOMETRY_STRIDE_PROFILE_H

#include "access/series.h"
#include "tlb/curve/curve.h"
#include "tlb/detect/analysis.h"
#include "tlb/detect/boundary.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { STRIDE_PROFILE_LEVELS = 2, STRIDE_PROFILE_STRIDES = 21 }; /* [bound] */

/* Reach has settled after this many strides without a fall: an index may leave two bits of the page
 * number out between others. [significance] */
enum { STRIDES_SETTLED = 3 };

struct stride_profile {
    const struct series *series;
    struct point page; /* a point of the curve with neighbouring pages */
    size_t levels;     /* found on that curve, the first two at most */
    double entries[STRIDE_PROFILE_LEVELS], least[STRIDE_PROFILE_LEVELS],
        most[STRIDE_PROFILE_LEVELS]; /* range of the entries; second level: stride_profile_read() */
    enum confidence confidence[STRIDE_PROFILE_LEVELS];
    double ns[STRIDE_PROFILE_LEVELS + 1]; /* page minus packed when none, the first, both miss */
    double early[STRIDE_PROFILE_LEVELS];  /* neighbouring pages of which a tenth miss */
    int strides;                          /* largest k known for all levels */
    double reach[STRIDE_PROFILE_LEVELS]
                [STRIDE_PROFILE_STRIDES + 1]; /* pages 2^k apart of which half miss */
};

/* Finds the levels, their entries and their reach at k = 0. */
struct stride_profile stride_profile_open(struct analysis *analysis, const struct point *page);

/* The whole profile of the samples' first curve, with the entries of both levels; without levels
 * where there is none. */
struct stride_profile stride_profile_read(struct analysis *analysis);

/* Adds the reach at k from pages 2^k pages apart; where the first level hides the second's, from
 * targets among others. False when it was not measured. */
bool stride_profile_add(struct stride_profile *profile, int k);

/* Whether the first level hides the second level's reach at k, as it holds nearly as many pages. */
bool stride_profile_hidden(const struct stride_profile *profile, int k);

/* How many more strides all levels must keep their reach for, after the last level's fell, before
 * it has settled; 0: it has. */
int stride_profile_unsettled(const struct stride_profile *profile);

/* The last k at which a level's reach equals that at k = 0, and the first from which on it falls no
 * further; both 0 when it does not fall. `bits` are the k in between at which it halves: with a
 * linear index (`from` is 0) these bits of the page number select the set. It may leave out some
 * between others: AMD's Zen 3 takes bits 0 to 6 and 9 (measured). Else all are in `bits`. */
struct fall {
    int from, to;
    uint64_t bits;
} stride_profile_fall(const struct stride_profile *profile, size_t level);

/* Number of pages of other sets that flush the first level ("others"): the least measured that
 * does, since that level's range may have changed since the plan asked for them. */
uint64_t stride_profile_others(const struct stride_profile *profile);

/* The same for targets 2^k pages apart: 0 where the second level's reach shows without others. */
uint64_t stride_profile_others_at(const struct stride_profile *profile, int k);

/* Page number of the i-th of so many others beside targets 2^k pages apart, in sample 0, whose
 * first target is page 0. */
uint64_t stride_profile_other_page(const struct stride_profile *profile, int k, uint64_t others,
                                   uint64_t i);

/* Time of a load minus `packed` by the number of targets: they lie `spacing` bytes apart among
 * others, and each sample uses another set, in most of which other work on the core may hold
 * entries. So the value is that of the sets with least interference: of the fastest laps the least
 * where noise only adds time, else a low quantile, which is corrected for the amount by which noise
 * lowers it where all targets fit. It does not fall as targets are added: it is the least at this
 * number or a larger one. `load_ns` is the median of all sets, minus `packed` too. */
struct curve stride_profile_targets(const struct stride_profile *profile, uint64_t spacing,
                                    uint64_t others);

/* The same where a chain visits each target `rounds` times: medians, as every sample has other
 * orders. */
struct curve stride_profile_rounds(const struct stride_profile *profile, uint64_t spacing,
                                   uint64_t others, uint64_t rounds);

/* The share of targets that miss both levels in such sets; NaN when it was not measured. */
double stride_profile_missing(const struct stride_profile *profile, uint64_t spacing,
                              uint64_t others, uint64_t targets);

/* Pages at which a curve crosses the middle of `low` and `high`, linear between points; NaN when it
 * does not. */
double stride_profile_crossing(const struct curve *curve, double low, double high);

#endif
