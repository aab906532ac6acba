/* soft_knee.h: where a curve leaves a plateau for good, when what follows is no step.
 *
 * A chain that is walked in one order misses at once in all of a full set, and the curve has a step
 * (knee.h). Where the order is new in every round, as that of kernel `code`, or where an entry
 * holds several pages, as on contiguous page frames, most loads still hit when a level is just too
 * small, and hits become rarer like the reciprocal of the number of pages: the curve bends, and
 * before it is level the next rise may have begun. But nothing misses before the level is full: the
 * foot is the answer. */
#ifndef TLBLAB_CURVE_SOFT_KNEE_H
#define TLBLAB_CURVE_SOFT_KNEE_H

#include "curve/curve.h"
#include "curve/knee.h"
#include <stddef.h>

/* Finds the rises of a curve in ascending order; returns their number. A rise is told from noise by
 * 4.5 standard errors at each of three points, and is a quarter of the time of a load or more. It
 * ends where the octave behind adds a third of what was gained, half of it is done within 2.2 times
 * its foot (1 - C/n: 2), and its step is that up to two octaves behind the foot. */
size_t soft_knee_find(const struct curve *curve, struct knee rises[KNEES_MOST]);

/* Where a rise that bends begins: `before`, or lower, as it begins with so little that it passes
 * the noise only some pages later. There a straight line through the foot meets the plateau; no
 * more pages are hidden than rise by the noise along it, twice over. */
double soft_knee_foot(const struct curve *curve, const struct knee *rise);

#endif
