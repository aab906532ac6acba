/* access_order.h: the order in which a point's chain visits its nodes, cycle after cycle. */
#ifndef TLBLAB_SIMULATE_ACCESS_ORDER_H
#define TLBLAB_SIMULATE_ACCESS_ORDER_H

#include "access/point.h"
#include "base/random.h"
#include <stdbool.h>
#include <stdint.h>

/* Visits that count where a chain is too long to go round. */
enum { ACCESS_ORDER_VISITS = 200000 };

struct access_order {
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
 * ACCESS_ORDER_VISITS) only a part is visited. `random` must outlive the order. */
void access_order_open(struct access_order *order, const struct point *point, uint64_t longest,
                       struct random *random);
void access_order_close(struct access_order *order);

/* Draws the order of the next cycle of a fresh order. */
void access_order_again(struct access_order *order);

/* The node of the chain that is visited as `node`: where there are more, drawn evenly from all. */
uint64_t access_order_chain_node(struct access_order *order, uint64_t node);

#endif
