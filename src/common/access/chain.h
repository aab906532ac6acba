/* chain.h: random Hamiltonian cycles over numbered nodes. */
#ifndef TLBLAB_ACCESS_CHAIN_H
#define TLBLAB_ACCESS_CHAIN_H

#include "access/point.h"
#include "base/random.h"
#include <stdint.h>

/* Fills next[0 … n−1] so that following it from any node visits all n nodes once and returns: one
 * uniformly random cycle (Sattolo 1986). n ≥ 1, below 2^32. */
void chain_cycle(uint32_t *next, uint64_t n, struct random *random);

/* The same for n nodes in windows of `box` nodes, walked window after window as `mode` says; the
 * last window is shorter where box does not divide n. */
void chain_boxes(uint32_t *next, uint64_t n, uint64_t box, enum chain_mode mode,
                 struct random *random);

/* The same for so many rounds over targets and others, which are numbered in this order in each
 * round: the targets in a random order of the round's own, then all others. Between two visits of a
 * target all others are visited. */
void chain_rounds(uint32_t *next, uint64_t rounds, uint64_t targets, uint64_t others,
                  struct random *random);

/* The same for pairs: of each the first or the second node, then the other; page after page, and
 * pair after pair in each, in random order. `page` nodes are those of a page, `n` may be odd. */
void chain_pairs(uint32_t *next, uint64_t n, uint64_t page, struct random *random);

/* Cuts the cycle of n nodes from node 0 on into `count` pieces, alike in length but for one node,
 * each of which becomes a cycle of its own; first[] is a node of each. 1 ≤ count ≤ n. */
void chain_cut(uint32_t *next, uint64_t n, uint64_t count, uint32_t *first);

#endif
