/* prefetch.h: method `prefetch`: which prefetchers show, and how far they run ahead, from probes
 * (access/probe.h). */
#ifndef TLBLAB_DETECT_PREFETCH_H
#define TLBLAB_DETECT_PREFETCH_H

#include "access/series.h"
#include "tlb/detect/boundary.h"
#include <stdint.h>

/* A pattern of touches, and the distances of its probes in steps: of a line where there is one
 * touch, else of the stride. The plan measures these, with the control and the hit (distance 0).
 * A line is 64 bytes on nearly all processors [prior]; the number of steps is room [bound]. */
enum { PREFETCH_STEPS = 10, PREFETCH_LINE = 64 };
struct prefetch_pattern {
    int layout; /* of layouts[] */
    uint64_t touches, decoys;
    uint64_t stride;           /* in lines */
    int steps[PREFETCH_STEPS]; /* 0 ends them */
    enum note_word shows;      /* what a prefetched line shows */
};
extern const struct prefetch_pattern prefetch_patterns[]; /* touches 0 end them */

/* The pattern's point of a probe at so many steps, like `like` in page, backing and so on. */
struct point prefetch_point(const struct prefetch_pattern *pattern, const struct point *like,
                            uint64_t groups, int steps);

/* Adds a row for each prefetcher that shows. A probe counts as prefetched where it saves half or
 * more of what a load of the same line again would save (median of the samples' fastest laps).
 *
 * The last touch of the single ones is on the second line of a pair going up, on the first going
 * down: where a load prefetches the line behind it from the second line of a pair, that is a
 * next-line prefetcher; where it prefetches the line before it only from the second, that is the
 * other line of the pair. Without decoys every touch is followed by a load at the same distance:
 * what is prefetched then, and not with decoys, was learnt. Several touches show a stride where the
 * line prefetched lies farther ahead than what a single touch prefetches.
 *
 * bytes_min and bytes_max: the first and the last distance that is prefetched; plateau_ns: of a
 * probe there; step_ns: what it saves. False where control or hit is missing, or they are alike. */
bool prefetch_detect(const struct series *series, struct boundaries *found);

#endif
