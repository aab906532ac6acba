/* prefetch.h: method `prefetch`: which prefetchers show, and how far they run ahead, from probes
 * (access/probe.h). */
#ifndef TLBLAB_DETECT_PREFETCH_H
#define TLBLAB_DETECT_PREFETCH_H

#include "access/series.h"
#include "tlb/detect/boundary.h"
#include <stdint.h>

/* A pattern of touches, and the distances of its probes in steps: lines if there is one touch, else
 * strides. The plan measures these, with the control and the hit (distance 0). A line has 64 bytes
 * on nearly all processors [prior]; the number of steps is a capacity [bound]. */
enum { PREFETCH_STEPS = 10, PREFETCH_LINE = 64 };
struct prefetch_pattern {
    int layout; /* index into layouts[] */
    uint64_t touches, decoys;
    uint64_t stride;           /* in lines */
    int steps[PREFETCH_STEPS]; /* 0 after the last */
    enum note_word shows;      /* what a prefetched line indicates */
};
extern const struct prefetch_pattern prefetch_patterns[]; /* ended by touches = 0 */

/* The probe of a pattern at a distance of `steps` (NaN: the control), with page, backing and so on
 * from `like`. */
struct point prefetch_point(const struct prefetch_pattern *pattern, const struct point *like,
                            uint64_t groups, double steps);

/* Adds a row for each prefetcher that shows. A probe counts as prefetched if it saves at least half
 * of what a second load of the same line saves (median of the samples' fastest laps).
 *
 * A single touch is on the second line of a pair going up, on the first going down. If a touch of
 * the second line prefetches the line after it, that is a next-line prefetcher; if only a touch of
 * the second line prefetches the line before it, that is the other line of the pair. Without decoys
 * every touch is followed by a load at the same distance: a line prefetched then, but not with
 * decoys, was learnt. Several touches show a stride if the prefetched line is farther ahead than
 * those that a single touch prefetches.
 *
 * bytes_min and bytes_max: the first and the last prefetched distance; plateau_ns: the time of a
 * probe there; step_ns: its saving. False if control or hit is missing, or they take about the same
 * time. */
bool prefetch_detect(const struct series *series, struct boundaries *found);

#endif
