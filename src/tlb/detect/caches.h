/* caches.h: method `caches`: capacities of the caches, even where a transition is gradual. */
#ifndef TLBLAB_DETECT_CACHES_H
#define TLBLAB_DETECT_CACHES_H

#include "access/series.h"
#include "tlb/detect/boundary.h"

/* Cache levels private to a core on most machines: all but the last. [prior] */
enum { CACHES_PRIVATE = 2 };

/* Simultaneous chains with overlapping misses, in the second measurement that confirms the last
 * level. [tuned: unknown] */
enum { CACHES_CHAINS = 8 };

/* Adds a row for every transition (derivative.h) of the curve of `line`; the series is sorted.
 * entries_min and entries_max (also as bytes) are the sizes at a tenth and nine tenths of the step.
 *
 * Gradual transitions (note `gradual`): the hit ratio at n lines is (upper − ns) / (upper − lower).
 * With random page frames under a physical index, or hashed slices, lines are distributed over the
 * sets at random. A line hits while fewer than W others are in its set (LRU). So the sum of the hit
 * ratios over n is the sum of W over the S sets: this area is the capacity, for any W. (With 8 ways
 * half of the step is reached at 0.83 of the capacity.) Sharp transitions: sets fill evenly, the
 * step ends within 1/W of the capacity, and a straight line through it meets the plateau at the
 * capacity.
 *
 * For caches that keep some lines of an overfull set the area is too large. So a gradual capacity
 * is taken from loads of kernel `random`, if there are any (caches_drawn(), occupancy_fit.h).
 * Levels above CACHES_PRIVATE, and the last one, get a capacity only if a measurement with
 * CACHES_CHAINS chains confirms it; else the note is `cannot_tell` and entries is NaN. On a
 * graphics card (backing `device`) they get one unconfirmed, with at most medium confidence.
 *
 * Of more than CACHES_PRIVATE + 1 transitions, those caused by a single size with one or two
 * samples are ignored as noise.
 *
 * Further notes: `joined`: no plateau before the rise, so both rises may belong to one cache (a
 * stacked one, or slices of this and a neighbouring core); `two_slopes`: the rise has two slopes;
 * `scattered`: the samples of a size within the rise differ by more than a fifth of its step,
 * because the cache is shared or the page frames vary; `at_end_of_sweep`: no upper plateau, entries
 * and entries_max are NaN; `sparse`: fewer than 4 sizes per octave. */
void caches_detect(const struct series *series, const struct point *line, struct boundaries *found);

/* The sizes of kernel `random` that show the capacity at a transition whose step is half done at
 * size `half`. */
struct drawn_sizes {
    double first, last;
} caches_drawn_sizes(double half);

/* A point of kernel `random` with the layout and memory of `line`, or NULL. */
const struct point *caches_drawn(const struct series *series, const struct point *line);

#endif
