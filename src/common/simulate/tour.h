/* tour.h: the order in which a point's chain visits its nodes, cycle after cycle. */
#ifndef TLBLAB_SIMULATE_TOUR_H
#define TLBLAB_SIMULATE_TOUR_H

#include "access/point.h"
#include "base/random.h"
#include <stdbool.h>
#include <stdint.h>

/* Visits that count where a chain is too long to go round. */
enum { TOUR_VISITS = 200000 };

struct tour {
    uint64_t nodes;  /* that are visited, numbered in the order of their addresses */
    uint32_t *order; /* these, as one cycle visits them */
    bool partial;    /* they stand for a chain so long that nothing is left when it comes round */
    bool fresh;      /* every cycle has its own order */
    bool drawn;      /* and leaves out some nodes, as each visit is drawn anew */
    uint64_t span;   /* the chain's nodes that they stand for */
    struct point part;
    struct random *random;
};

/* Draws the chain of the point. Of a chain of more than `longest` nodes (at least twice
 * TOUR_VISITS) only a part is visited. `random` must outlive the tour. */
void tour_open(struct tour *tour, const struct point *point, uint64_t longest,
               struct random *random);
void tour_close(struct tour *tour);

/* Draws the order of the next cycle of a fresh tour. */
void tour_again(struct tour *tour);

/* The node of the chain that is visited as `node`: where there are more, drawn evenly from all. */
uint64_t tour_chain_node(struct tour *tour, uint64_t node);

#endif
