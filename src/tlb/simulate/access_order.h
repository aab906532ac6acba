/* access_order.h: the order in which a point's chain visits its nodes, cycle after cycle. */
#ifndef TLBLAB_SIMULATE_ACCESS_ORDER_H
#define TLBLAB_SIMULATE_ACCESS_ORDER_H

#include "access/point.h"
#include "base/random.h"
#include <stdbool.h>
#include <stdint.h>

/* Visits counted in a chain too long to be walked completely. */
enum { ACCESS_ORDER_VISITS = 200000 };

struct access_order {
    uint64_t nodes;  /* visited nodes, numbered by address */
    uint32_t *order; /* one cycle of visits */
    bool partial;    /* the nodes are a sample of a chain too long to leave anything in a cache */
    bool fresh;      /* every cycle has a new order */
    bool drawn;      /* fresh, and each visit is drawn independently, so a cycle omits some nodes */
    uint64_t span;   /* nodes of the chain from which the visited ones are drawn */
    struct point part;
    struct random *random;
};

/* Draws the chain of the point. If it has more than `longest` nodes (at least twice
 * ACCESS_ORDER_VISITS), only a part of it is visited. `random` must outlive the order. */
void access_order_open(struct access_order *order, const struct point *point, uint64_t longest,
                       struct random *random);
void access_order_close(struct access_order *order);

/* Draws the order of the next cycle of a fresh order. */
void access_order_redraw(struct access_order *order);

/* The chain node that visited node `node` represents, drawn uniformly from `span`. */
uint64_t access_order_chain_node(struct access_order *order, uint64_t node);

#endif
