/* batch.h: the points that a plan requests, with their numbers of samples and their order.
 *
 * A plan runs from its first stage each time. A stage that has all of its samples adds nothing;
 * the first stage that adds a point ends the batch, since later ones need its samples. */
#ifndef TLBLAB_PLAN_BATCH_H
#define TLBLAB_PLAN_BATCH_H

#include "access/point.h"
#include "access/series.h"
#include "tlb/plan/options.h"
#include <stddef.h>

/* A point, how many samples it has, and how many it should have. */
struct request {
    struct point point;
    uint64_t have, want;
};

struct batch {
    const struct plan_options *options;
    const struct series *series; /* the samples so far, sorted */
    struct point like;           /* kernel, backing, page, spacing and role of the next requests */
    struct request *requests;
    size_t count;
};

/* Requests `want` samples (or those of options->samples) of a point like batch->like with this
 * layout and number of pages. Samples in the series count towards them; of two requests for a
 * point the larger one applies. */
void request(struct batch *batch, const struct layout *layout, uint64_t pages, uint64_t want);

/* The same for a point as it is, whose spacing is not that of batch->like. */
void request_point(struct batch *batch, const struct point *point, uint64_t want);

/* Of sizes from `from` to `to`, spaced evenly on a log scale, both ends included, the one after
 * `last`; of 0, and while `from` is not below `to`: the first, `to` at most. */
uint64_t next_size(uint64_t from, uint64_t to, uint64_t last, unsigned per_octave);

/* Points of one batch, unless one pass has more: a plan with more is planned again after these, so
 * its memory does not grow with the samples of a point. [bound] */
enum { BATCH_POINTS_MAX = 1 << 16 };

/* Turns the requests into points, which the caller frees, and returns their number. The order is
 * pass after pass over all points, so drift affects all of them alike. */
size_t batch_points(struct batch *batch, struct point **points);

/* ---- the plans: each requests the points of its first stage that lacks some ---- */

/* Requests the curves of `page` and `packed` at sizes that are even on a log scale, for the
 * picture, the costs and the second level; the questions of questions.h show the first. */
void plan_curves(struct batch *batch);

/* plan_curves() on scattered and on contiguous frames. */
void plan_coalescing(struct batch *batch);

/* Requests the curve at the spacings where each page has its own table at the lowest level of the
 * page table, at the level above, and so on. A table has page_bytes / 8 entries. [physics] */
void plan_walk(struct batch *batch);

/* Requests the samples that show the replacement (geometry/replacement.h) of each level whose ways
 * are known. */
void plan_overload(struct batch *batch);

/* Requests layout `local` at a line's spacing:
 * - six sizes an octave up to 8 MiB of lines of 64 bytes, three beyond; up to five samples each,
 *   fewer of long chains, more of short chains that scatter;
 * - sizes within a rise (curve.h).
 * All requests of small sizes come before those of long chains. */
void plan_caches(struct batch *batch);

/* Requests layout `pair` at every spacing, two sizes an octave: short chains, then, when these show
 * the line (cache_line.h), longer ones. */
void plan_line(struct batch *batch);

/* Requests for each pattern of touches (detect/prefetch.h) the control, the hit and the probes; the
 * last of --pages is the number of groups. */
void plan_prefetch(struct batch *batch);

/* Requests the grid of windows, and the comparison point of 512 MiB if the buffer is that large;
 * then the refinement: around each boundary that segment_detect() finds in the grid, seven windows
 * divide the interval from the window before it to the window after it into eighths. */
void plan_density(struct batch *batch);

/* Requests every layout at every size. */
void plan_grid(struct batch *batch);

#endif
