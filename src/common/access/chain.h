/* chain.h: random Hamiltonian cycles over numbered nodes. */
#ifndef TLBLAB_ACCESS_CHAIN_H
#define TLBLAB_ACCESS_CHAIN_H

#include "access/point.h"
#include "base/random.h"
#include <stdint.h>

/* Fills next[0 … n−1] with one uniformly random cycle over all n nodes (Sattolo 1986).
 * 1 ≤ n < 2^32. */
void chain_cycle(uint32_t *next, uint64_t n, struct random *random);

/* The same for n nodes in windows of `box` nodes, visited window after window as `mode` says. The
 * last window is shorter when box does not divide n. */
void chain_boxes(uint32_t *next, uint64_t n, uint64_t box, enum chain_mode mode,
                 struct random *random);

/* The same for rounds of targets, then others, numbered in this order within each round. Each
 * round draws a new order of the targets and one of the others, so all others are visited between
 * the last target and the first of the next round. */
void chain_rounds(uint32_t *next, uint64_t rounds, uint64_t targets, uint64_t others,
                  struct random *random);

/* The same for pairs: pages of `page` nodes in random order, the pairs of a page in random order,
 * and the two nodes of a pair in random order. n may be odd. */
void chain_pairs(uint32_t *next, uint64_t n, uint64_t page, struct random *random);

/* The random numbers of a sample's chain, which depend only on the seed and the point. */
struct random chain_random(const struct point *point, uint64_t seed);

/* Cuts the cycle of n nodes into `count` cycles whose lengths differ by one node at most; first[]
 * is a node of each. 1 ≤ count ≤ n. */
void chain_cut(uint32_t *next, uint64_t n, uint64_t count, uint32_t *first);

#endif
