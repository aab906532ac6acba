/* line_owner.h: which slice owns a line, by the lookups that loads of it cause. The rules for a
 * count to be believed are those of Map_Addresses_to_L3_Slices (McCalpin). */
#ifndef TLBLAB_COUNTERS_LINE_OWNER_H
#define TLBLAB_COUNTERS_LINE_OWNER_H

#include "slices/counters/uncore.h"

struct owner {
    int slice;      /* SLICE_MISSING where no count is believed */
    uint64_t count; /* lookups there */
    double share;   /* of the loads */
};

/* The slice that owns the line, by counts of `loads` loads. SLICE_MISSING unless the highest count
 * is above 95 % of the loads, at one slice alone; the lowest below 20 %; and the sum of all others
 * over the number of slices below 40 %. `sure`: no other slice comes near. */
int owner_of_counts(const uint64_t *counts, unsigned slices, uint64_t loads, bool *sure);

/* Measures a line. A tenth of the loads is enough where they leave no doubt. Counts that are not
 * believed are repeated; after 100 times, 1 s later; after 10 such, the line is given up. A line
 * that no slice counts is given up at once: others only add lookups. */
struct owner line_owner(const struct uncore *uncore, size_t offset, uint64_t loads);

/* Tries the events of the uncore on a few lines and chooses the first that counts about one lookup
 * a load. `why` says what was believed, or why none is (false). */
bool choose_event(const struct uncore *uncore, uint64_t loads, unsigned *candidate,
                  char why[PLATFORM_WHY_ROOM]);

#endif
