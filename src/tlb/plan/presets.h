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

/* ---- geometry.c: ways and sets of a TLB ---- */

/* The next moments that the organisation of the levels needs (geometry/organisation.h), once the
 * curve has been measured: until answers are likely, or with `settle` until they are certain; then
 * the samples that show the replacement. Returns their number; the caller frees them. */
size_t plan_geometry(struct batch *batch, bool settle, struct point **points);

/* ---- caches.c: sizes of the caches ---- */

/* Default budget of such a sweep, in seconds. [prior] */
enum { CACHES_BUDGET_S = 15 };

/* Requests layout `local` at a line's spacing:
 * - six sizes an octave up to 8 MiB of lines of 64 bytes, three beyond; up to five samples each,
 *   fewer of long chains, more of short chains that scatter;
 * - sizes within a sharp or large transition (derivative.h);
 * - kernel `random` around a gradual transition that is not too large;
 * - CACHES_CHAINS chains around the last transition and all above CACHES_PRIVATE.
 * All requests of small sizes come before those of long chains. */
void plan_caches(struct batch *batch);

/* ---- line.c: the cache line, and the ways of the first cache ---- */

/* Requests layout `pair`, two sizes an octave: short chains at every spacing, then, when these show
 * the line (cache_line.h), longer ones at spacings from half of it on. For cache_sets.h it requests
 * 1 to CACHE_SETS_NODES nodes of layout `line` four, two and one page apart, and halves that
 * spacing until more nodes fit into the first cache. */
void plan_line(struct batch *batch);

/* ---- prefetch.c: prefetchers ---- */

/* Requests for each pattern of touches (detect/prefetch.h) the control, the hit and the probes; the
 * last of --pages is the number of groups. */
void plan_prefetch(struct batch *batch);

#endif
