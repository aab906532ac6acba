/* soft_knee.h: soft knees: where a curve leaves a plateau for good without a step.
 *
 * A chain in one fixed order misses in all of an overloaded set, so the curve has a step (knee.h).
 * With a new order in every round (kernel `code`), or with entries that hold several pages
 * (contiguous page frames), most loads still hit a level that is just too small: the curve bends,
 * and the next rise may begin before it is level. The form of the bend tells the capacity. */
#ifndef TLBLAB_CURVE_SOFT_KNEE_H
#define TLBLAB_CURVE_SOFT_KNEE_H

#include "tlb/curve/knee.h"
#include <stddef.h>

/* A soft knee, and the capacity of its level by least squares over the points from half of it to
 * twice it: of LRU levels, fully associative or of 4 or 8 ways, whose pages come in a new order in
 * every round, of entries visited at random, or of a step. The range are all capacities within 1.3
 * times that leave at most half as many squares more than the best, and 0.003 of all squares. */
struct soft_knee {
    struct knee knee;            /* plateau_error is that of the step */
    double entries, least, most; /* the capacity and its range */
};

/* Finds the soft knees of a curve in ascending order; returns their number. A knee is where such a
 * fit finds a step of six standard errors, a tenth of a load's time, half of the step before and
 * eight times the rise of its plateau, that no straight line explains. The misses of a level are
 * removed before the next is looked for, from 1.5 times its capacity on. A step is measured up to
 * two octaves above the capacity. */
size_t soft_knee_find(const struct curve *curve, struct soft_knee found[KNEES_MOST]);

#endif
