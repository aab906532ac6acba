/* line.h: the points that show the cache line, and the ways of the first cache. */
#ifndef TLBLAB_PLAN_LINE_H
#define TLBLAB_PLAN_LINE_H

#include "plan/batch.h"

/* Requests layout `pair`, two sizes an octave: short chains at every spacing, then, when these show
 * the line (cache_line.h), longer ones at spacings from half of it on. For cache_sets.h it requests
 * 1 to CACHE_SETS_NODES nodes of layout `line` four, two and one page apart, and halves that
 * spacing until more nodes fit into the first cache. */
void plan_line(struct batch *batch);

#endif
