/* replacement.h: which page leaves a set that is full, told from how many of too many pages miss.
 */
#ifndef TLBLAB_GEOMETRY_REPLACEMENT_H
#define TLBLAB_GEOMETRY_REPLACEMENT_H

#include <stdint.h>

/* So many times each page is visited, in ever new orders, before the chain repeats itself: if every
 * order were the same, LRU, PLRU and FIFO would all miss each page of one too many. */
/* Rounds of the longer chains, and numbers of targets. [prior] */
enum { REPLACEMENT_ROUNDS = 8, REPLACEMENT_TARGETS = 5 };

/* Numbers of targets, more than a set of so many ways holds, at which the policies differ. */
void replacement_targets(uint64_t ways, uint64_t targets[REPLACEMENT_TARGETS]);

/* What one number of targets cost: over what they cost while all fit, and the error of that. */
struct overload_sample {
    uint64_t targets, others, rounds;
    double ns, error;
};

/* The policy (lru, plru, random, fifo) of a set of so many ways under which, in simulation, targets
 * miss in the proportions that were measured; "unknown" when none fits, or more than one. */
const char *replacement_of(uint64_t ways, const struct overload_sample *measured, int count);

#endif
