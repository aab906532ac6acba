/* victim_set.h: how often pages miss in a set of an exclusive level, by simulation of one set. */
#ifndef TLBLAB_CURVE_VICTIM_SET_H
#define TLBLAB_CURVE_VICTIM_SET_H

#include "simulate/assoc.h"

/* [bound] */
enum { VICTIM_SET_WAYS_MOST = 32, VICTIM_SET_PAGES_MOST = 2 * VICTIM_SET_WAYS_MOST };

/* A page that is found in an exclusive level moves to the one before, and comes back when that
 * needs its place: it takes the way that it left if that is still free, else one that the
 * replacement (PLRU or RANDOM) chooses. Holes that move about upset both rules, and no formula is
 * known for it.
 *
 * The share of misses in a set of `ways`, where a load finds `others` pages in its set beside its
 * own, each of which is outside the level before with the probability `outside` (0 … 1). Between a
 * few of these it is interpolated. The same question has the same answer. At most
 * VICTIM_SET_WAYS_MOST ways, and fewer others than VICTIM_SET_PAGES_MOST. */
double victim_set_misses(enum assoc_replacement replacement, int ways, int others, double outside);

#endif
