/* replacement.h: the replacement policy of a set, from the share of misses when it is overloaded.
 */
#ifndef TLBLAB_GEOMETRY_REPLACEMENT_H
#define TLBLAB_GEOMETRY_REPLACEMENT_H

#include <stdint.h>

/* The longer chains visit each page REPLACEMENT_ROUNDS times, in a new order each round, before
 * they repeat: in one fixed order LRU, PLRU and FIFO would all miss every page of an overloaded
 * set. REPLACEMENT_TARGETS is the number of target counts measured. [prior] */
enum { REPLACEMENT_ROUNDS = 8, REPLACEMENT_TARGETS = 5 };

/* Numbers of targets, above the ways, at which the policies differ. */
void replacement_targets(uint64_t ways, uint64_t targets[REPLACEMENT_TARGETS]);

/* One measurement. */
struct overload_sample {
    uint64_t targets, others, rounds;
    double ns, error; /* mean time of a load minus that of targets that all fit; standard error */
};

/* The policy (lru, plru, random, fifo) whose simulated shares of misses are proportional to the
 * measured times; "unknown" if none fits, or several do. */
const char *replacement_of(uint64_t ways, const struct overload_sample *measured, int count);

#endif
