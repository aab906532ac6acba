/* stack_distance.h: misses of fully associative LRU TLBs of all sizes in one pass (Mattson and
 * others 1970): an access hits in every TLB with at least as many entries as pages were accessed
 * since the last access to its page, that page included. */
#ifndef TLBLAB_TLBS_STACK_DISTANCE_H
#define TLBLAB_TLBS_STACK_DISTANCE_H

#include "trace/tlbs/number_map.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How many accesses had each distance. Distances below EXACT have a count each; with `coarse`,
 * larger ones share one, 1/64 of a doubling. */
struct distances {
    bool coarse;
    double *count;
    size_t room;
    double cold; /* first accesses to a page: no distance */
};

void distances_add(struct distances *distances, uint64_t distance, double weight);

/* The largest distance that counts in the k-th place. */
uint64_t distances_last(const struct distances *distances, size_t k);
void distances_scale(struct distances *distances, double factor);
void distances_free(struct distances *distances);

/* One thread's pages, the last accessed first. Initialised by {0}. */
struct stack {
    struct number_map last; /* of each page, the time of its last access, from 1 */
    uint32_t *tree;         /* Fenwick 1994: how many last accesses lie up to each time */
    uint64_t room, now;
};

/* The distance of this access; 0: the first one to the page. */
uint64_t stack_access(struct stack *stack, uint64_t page);

/* Forgets a page. */
void stack_remove(struct stack *stack, uint64_t page);
void stack_free(struct stack *stack);

/* The same in a fixed amount of memory (SHARDS, Waldspurger and others, FAST 2015, with a fixed
 * number of pages): only pages with small hashes are followed, so few that they fit; their
 * distances and counts stand for all. */
struct shards {
    uint64_t pages_most;
    uint64_t threshold; /* hashes below it are followed */
    struct shard *heap; /* pages followed, the largest hash first */
    size_t count;
    struct stack stack;
    struct distances distances;
    double sampled, all; /* accesses */
};

void shards_open(struct shards *shards, uint64_t pages_most);
void shards_access(struct shards *shards, uint64_t page);

/* Scales to all accesses; call it last. */
void shards_finish(struct shards *shards);
void shards_close(struct shards *shards);

#endif
