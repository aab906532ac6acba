/* presets.h: the plan of each preset: a function that requests the points of its first stage that
 * lacks some (batch.h). */
#ifndef TLBLAB_PLAN_PRESETS_H
#define TLBLAB_PLAN_PRESETS_H

#include "tlb/plan/batch.h"

/* ---- tlb.c: levels of a TLB, and the cost of a page walk ---- */

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

/* ---- caches.c: sizes of the caches ---- */

/* Default budget of such a sweep, in seconds. [prior] */
enum { CACHES_BUDGET_S = 15 };

/* Requests layout `local` at a line's spacing:
 * - six sizes an octave up to 8 MiB of lines of 64 bytes, three beyond; up to five samples each,
 *   fewer of long chains, more of short chains that scatter;
 * - sizes within a rise (curve.h).
 * All requests of small sizes come before those of long chains. */
void plan_caches(struct batch *batch);

/* ---- line.c: the cache line ---- */

/* Requests layout `pair` at every spacing, two sizes an octave: short chains, then, when these show
 * the line (cache_line.h), longer ones. */
void plan_line(struct batch *batch);

/* ---- prefetch.c: prefetchers ---- */

/* Requests for each pattern of touches (detect/prefetch.h) the control, the hit and the probes; the
 * last of --pages is the number of groups. */
void plan_prefetch(struct batch *batch);

/* ---- density.c: the whitepaper's schedule, and any grid ---- */

/* Requests the grid of windows, and the comparison point of 512 MiB if the buffer is that large;
 * then the refinement: around each boundary that segment_detect() finds in the grid, seven windows
 * divide the interval from the window before it to the window after it into eighths. */
void plan_density(struct batch *batch);

/* Requests every layout at every size. */
void plan_grid(struct batch *batch);

#endif
