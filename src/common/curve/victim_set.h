/* victim_set.h: how often pages miss in a set of an exclusive level, by simulation of one set. */
#ifndef TLBLAB_CURVE_VICTIM_SET_H
#define TLBLAB_CURVE_VICTIM_SET_H

#include "simulate/assoc.h"

/* [bound] */
enum { VICTIM_SET_WAYS_MOST = 32, VICTIM_SET_PAGES_MOST = 2 * VICTIM_SET_WAYS_MOST };

/* The share of misses in a set of `ways`, when each load finds `others` other pages mapped to its
 * set, each of them absent from the level before with probability `outside` (0 … 1). At most
 * VICTIM_SET_WAYS_MOST ways, and fewer others than VICTIM_SET_PAGES_MOST.
 *
 * A page that hits in an exclusive level moves to the level before. When that evicts it, it returns
 * to the way that it left if that is still empty, else to one that the replacement (PLRU or RANDOM)
 * chooses. Both rules then work on sets with empty ways, for which no formula is known. The result
 * is interpolated between simulations at a few values of `outside`; it is the same in every run. */
double victim_set_misses(enum assoc_replacement replacement, int ways, int others, double outside);

#endif
