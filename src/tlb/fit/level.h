/* level.h: the best kind and capacity of one level, given the costs of the others. */
#ifndef TLBLAB_FIT_LEVEL_H
#define TLBLAB_FIT_LEVEL_H

#include "tlb/fit/fit.h"
#include "tlb/fit/kinds.h"

/* Improves a level: finds the best kind and capacity within a factor of `within` of its entries,
 * over points first … last of a curve without the costs of the other levels. With `ranges`, also
 * sets the range: all kinds and capacities that fit about as well. `below`: the level before, or
 * NULL. `of`: as in kinds_list(). */
void level_improve(const struct curve *rest, struct fitted_level *level, size_t first, size_t last,
                   const struct fitted_level *below, enum kinds of, double within, bool ranges);

/* Sets a level's points on the curve from its kind and capacity. */
void level_describe(const struct curve *rest, struct fitted_level *level);

#endif
