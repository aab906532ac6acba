/* stride_profile.h: how many pages a power of two apart each level of a TLB holds.
 *
 * Pages 2^k pages apart use only the sets that the bits above the lowest k select. The profile of a
 * level is its reach, as a function of k. With a linear index reach halves from k = 1 on until one
 * set is left, and stays the same if the index skips a bit. If higher bits are folded into the
 * index (xor) it starts to halve later. If it never falls, the level is fully associative or its
 * index is hashed. */
#ifndef TLBLAB_GEOMETRY_STRIDE_PROFILE_H
#define TLBLAB_GEOMETRY_STRIDE_PROFILE_H

#include "access/series.h"
#include "tlb/curve/curve.h"
#include "tlb/detect/analysis.h"
#include "tlb/detect/boundary.h"
#include "tlb/geometry/ways.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { STRIDE_PROFILE_LEVELS = 2, STRIDE_PROFILE_STRIDES = 21 }; /* [bound] */

/* Reach has settled after this many strides without a fall: an index may skip two bits of the page
 * number. [significance] */
enum { STRIDES_SETTLED = 3 };

struct stride_profile {
    const struct series *series;
    struct point page; /* a point of the curve with neighbouring pages */
    size_t levels;     /* found on that curve, at most the first two */
    double entries[STRIDE_PROFILE_LEVELS], least[STRIDE_PROFILE_LEVELS],
        most[STRIDE_PROFILE_LEVELS]; /* range of the entries */
    enum confidence confidence[STRIDE_PROFILE_LEVELS];
    double ns[STRIDE_PROFILE_LEVELS + 1]; /* page minus packed if none, the first, or both miss */
    double early[STRIDE_PROFILE_LEVELS];  /* neighbouring pages at which a tenth miss */
    int strides;                          /* largest k known for all levels */
    double reach[STRIDE_PROFILE_LEVELS]
                [STRIDE_PROFILE_STRIDES + 1]; /* pages 2^k apart at which half miss */
    struct ways ways[STRIDE_PROFILE_LEVELS];  /* stride_profile_ways() */
};

/* Finds the levels, their entries and their reach at k = 0. */
struct stride_profile stride_profile_open(struct analysis *analysis, const struct point *page);

/* The whole profile of the samples' first curve, ways included; no levels if there is no curve. */
struct stride_profile stride_profile_read(struct analysis *analysis);

/* Adds the reach at k from pages 2^k pages apart; if the first level hides the second's, from
 * targets among others. False if it was not measured. */
bool stride_profile_add(struct stride_profile *profile, int k);

/* Finds the ways of all levels, once all strides have been added. */
void stride_profile_ways(struct stride_profile *profile);

/* Whether the first level hides the second level's reach at k, because it holds nearly as many
 * pages. */
bool stride_profile_hidden(const struct stride_profile *profile, int k);

/* Whether a level's reach at one stride is that at another, or little below it. */
bool stride_profile_stays(const struct stride_profile *profile, size_t level, int from, int to);

/* How many more strides, after the last level's fall, all levels must keep their reach before it
 * has settled; 0: it has. */
int stride_profile_unsettled(const struct stride_profile *profile);

/* The last k at which a level's reach equals that at k = 0, and the first from which on it falls no
 * further; both 0 if it does not fall. `bits` are the k in between at which it halves: with a
 * linear index (`from` is 0) these bits of the page number select the set. Some may be skipped:
 * AMD's Zen 3 uses bits 0 to 6 and 9 (measured). Otherwise all are in `bits`. */
struct fall {
    int from, to;
    uint64_t bits;
} stride_profile_fall(const struct stride_profile *profile, size_t level);

/* The number of others (targets.h) for targets 2^k pages apart; 0 if the second level's reach shows
 * without others. */
uint64_t stride_profile_others_at(const struct stride_profile *profile, int k);

/* Pages at which a curve crosses the middle of `low` and `high`, interpolated linearly; NaN if it
 * does not. */
double stride_profile_crossing(const struct curve *curve, double low, double high);

#endif
