/* line.h: the points that tell the line, and the ways of the first cache. */
#ifndef TLBLAB_PLAN_LINE_H
#define TLBLAB_PLAN_LINE_H

#include "plan/batch.h"

/* Requests for pairs (layout `pair`) of two sizes in every octave, at every spacing as far as
 * chains are short; when these tell the line (cache_line.h), for longer ones at spacings from half
 * of it on. And, for cache_sets.h, for 1 to CACHE_SETS_NODES nodes four, two and one page apart,
 * and as often half as far as it takes until more of them fit. */
void plan_line(struct batch *batch);

#endif
