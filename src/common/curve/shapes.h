/* shapes.h: the kinds of levels that a fit tries (miss_curve.h), and how rare they are. */
#ifndef TLBLAB_CURVE_SHAPES_H
#define TLBLAB_CURVE_SHAPES_H

#include "curve/candidate.h"
#include <stddef.h>

/* Which kinds: those of a sharp step, all with evenly filled sets, or hashed ones too. */
enum shapes { SHAPES_SHARP, SHAPES_EVEN, SHAPES_ALL };

/* Each rule, hashed or not, exclusive or not, and the two gaps of an index, with 25 numbers of
 * ways. [bound] */
enum { SHAPES_MOST = (4 * RULES + 2) * 25 };

/* Lists the shapes with their handicaps; returns their number. `before` is the number of entries of
 * the level before, 0 for a first one, which is neither exclusive nor hashed and whose index has no
 * gap. Hashed ones come last: they take longest, and another kind that fits well stops their fits
 * early. */
size_t shapes_list(struct candidate candidates[SHAPES_MOST], enum shapes kind, double before);

#endif
