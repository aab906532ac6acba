/* targets.h: pages of one set among others (layout `set`). The targets are pages a fixed distance
 * apart, which share a set of the second level. The others, pages of other sets, flush the first
 * level, so a target hits in the second level or not at all. */
#ifndef TLBLAB_GEOMETRY_TARGETS_H
#define TLBLAB_GEOMETRY_TARGETS_H

#include "tlb/curve/curve.h"
#include "tlb/geometry/stride_profile.h"
#include <stdint.h>

/* The number of others: the smallest measured number that suffices, since the first level's range
 * may have changed since the plan asked for them. */
uint64_t targets_others(const struct stride_profile *profile);

/* Page number of the i-th of `others` others of targets 2^k pages apart, in sample 0, whose first
 * target is page 0. */
uint64_t targets_other_page(const struct stride_profile *profile, int k, uint64_t others,
                            uint64_t i);

/* Time of a load minus `packed`, by the number of targets: they lie `spacing` bytes apart among
 * others, and each sample uses another set, in most of which other work on the core may hold
 * entries. So the value is that of the sets with the least interference: the fastest lap if noise
 * only adds time, else a low quantile, corrected for the amount by which noise lowers it when all
 * targets fit. It does not fall as targets are added: it is the minimum at this number or a larger
 * one. `load_ns` is the median of all sets, also minus `packed`. */
struct curve targets_curve(const struct stride_profile *profile, uint64_t spacing, uint64_t others);

/* The same for chains that visit each target `rounds` times: medians, as every sample has different
 * orders. */
struct curve targets_rounds(const struct stride_profile *profile, uint64_t spacing, uint64_t others,
                            uint64_t rounds);

/* The share of targets in such sets that miss both levels; NaN if not measured. */
double targets_missing(const struct stride_profile *profile, uint64_t spacing, uint64_t others,
                       uint64_t targets);

#endif
