/* saving.h: how much of a program's time huge pages save, from pairs of runs, and whether its
 * memory was on them. */
#ifndef TLBLAB_SAVING_SAVING_H
#define TLBLAB_SAVING_SAVING_H

#include "platform.h"
#include <stdbool.h>
#include <stddef.h>

/* Per cent of the time on base pages. */
struct saving {
    double percent, low, high;
};

/* The estimate and interval of Hodges and Lehmann (base/stats.h) for the logarithms of the
 * pairs' quotients. Times are in seconds; a pair with a time of 0 is left out. `confidence` is
 * between 0 and 1. n ≤ 1000. */
struct saving saving_of_pairs(const double *base_s, const double *huge_s, size_t n,
                              double confidence);

/* The interval lies on one side of 0, and the estimate is `least` per cent or more. */
bool saving_is_shown(const struct saving *saving, double least);

/* More pairs would not help: a difference is shown, or none of `least` per cent is possible. */
bool saving_is_decided(const struct saving *saving, double least);

/* How many pairs there are after the next look: twice as many as now, `most` at most. */
size_t saving_pairs_next(size_t pairs, size_t most);

/* The confidence of each comparison for one who compares after `first` ≥ 1 pairs and at each
 * further look up to `most`, and may be wrong in any of them only as often as `confidence` leaves
 * (Bonferroni's inequality). */
double saving_confidence_each(double confidence, size_t first, size_t most);

/* How much of the memory was on huge pages: "huge", "partly", "base" or "unknown", as where most of
 * it was freed before the end; "little_memory" for a program that has little to put on them.
 * `of_all`: huge pages were asked for all of its memory, not for some objects. */
const char *backing_of(const struct platform_usage *usage, bool of_all);

/* If hardly any memory was on huge pages, both kinds of runs translate alike: a difference
 * of their times has another cause. */
bool backing_is_alike(const char *backing);

/* Whether the host backs huge pages with small ones: "yes" or "no", as detect(1) notes it in this
 * table of boundaries; without the table (NULL), or where it says nothing, "unknown" in a guest,
 * else "no". */
const char *backing_splintered(const char *file);

#endif
