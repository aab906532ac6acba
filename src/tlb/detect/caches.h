/* caches.h: method `caches`: the range of each cache, from one latency curve. */
#ifndef TLBLAB_DETECT_CACHES_H
#define TLBLAB_DETECT_CACHES_H

#include "access/series.h"
#include "tlb/curve/curve.h"
#include "tlb/detect/boundary.h"

/* Adds a row for every knee (curve.h) of the curve of `line`; the series is sorted. */
void caches_detect(const struct series *series, const struct point *line, struct boundaries *found);

/* Adds the row of cache `level` (from 1) and returns it. The range, in lines and bytes, goes from
 * the last measured size of whose loads few miss to the first that is on the upper plateau, where
 * nearly all loads miss. Half of them may miss in a smaller chain than the cache holds: page frames
 * are random, so some sets are full early. `entries` is missing, unless one more line than fits was
 * measured.
 *
 * Notes: `gradual`; `at_end_of_sweep`: the curve still rises, entries_max is NaN. Criteria: two if
 * each size within the rise has three samples, else none. */
struct boundary *caches_add(struct boundaries *found, const struct curve *curve,
                            const struct knee *knee, int level, const char *method);

#endif
