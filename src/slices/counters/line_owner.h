/* line_owner.h: finds the slice that owns a line by the lookups that loads of it cause. Counts are
 * accepted by the rules of Map_Addresses_to_L3_Slices (McCalpin). */
#ifndef TLBLAB_COUNTERS_LINE_OWNER_H
#define TLBLAB_COUNTERS_LINE_OWNER_H

#include "slices/counters/uncore.h"

struct owner {
    int slice;      /* SLICE_MISSING: no count was accepted */
    uint64_t count; /* its lookups */
    double share;   /* fraction of the loads */
};

/* The slice that owns the line, by the counts of `loads` loads. SLICE_MISSING unless the highest
 * count is above 95 % of the loads, at exactly one slice; the lowest is below 20 %; and the sum of
 * all others, divided by the number of slices, is below 40 %. `sure`: no other slice comes near. */
int owner_of_counts(const uint64_t *counts, unsigned slices, uint64_t loads, bool *sure);

/* Measures a line. A tenth of the loads suffices if it leaves no doubt. Rejected counts are
 * repeated, up to 100 times, then after a pause of 1 s each; after 10 pauses the line is given up.
 * A line that no slice counts is given up at once, since other programs only add lookups. */
struct owner line_owner(const struct uncore *uncore, size_t offset, uint64_t loads);

/* Tries the uncore's events on a few lines and chooses the first that counts about one lookup per
 * load. Where there are fewer counters than slices, so that they take turns and none counts all the
 * time, fewer are counted at once, and the line is loaded once more for the others. `why` gives the
 * evidence or, if none does (false), the reason. */
bool choose_event(struct uncore *uncore, uint64_t loads, char why[PLATFORM_WHY_ROOM]);

#endif
