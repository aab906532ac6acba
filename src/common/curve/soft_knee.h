/* soft_knee.h: soft knees: where a curve leaves a plateau for good without a step.
 *
 * A chain in one fixed order misses in all of an overloaded set, so the curve has a step (knee.h).
 * With a new order in every round (kernel `code`), or with entries that hold several pages
 * (contiguous page frames), most loads still hit a level that is just too small. The share of hits
 * falls as C/n: the curve bends, and the next rise may begin before it is level. Nothing misses
 * before the level is full, so the foot is the capacity. */
#ifndef TLBLAB_CURVE_SOFT_KNEE_H
#define TLBLAB_CURVE_SOFT_KNEE_H

#include "curve/curve.h"
#include "curve/knee.h"
#include <stddef.h>

/* Finds the soft knees of a curve in ascending order; returns their number. Each of three points is
 * 4.5 standard errors above the baseline, and the step is at least a tenth of a load's time. The
 * misses of a level, a share of 1 - C/n, are removed before the next is looked for. A
 * rise ends where the octave above adds less than a third of the rise so far. Half of it lies
 * within 2.2 times its foot (1 - C/n: 2). Its step is measured up to two octaves above the foot. */
size_t soft_knee_find(const struct curve *curve, struct knee rises[KNEES_MOST]);

/* Pages at the foot of a soft knee: where a straight line through its first points meets the
 * plateau. That is `before` or lower, since the first pages rise by less than the noise; it is at
 * most as much lower as the line takes to rise by the noise. The true foot may lie as far again
 * below it. */
double soft_knee_foot(const struct curve *curve, const struct knee *rise);

#endif
