/* access_order.h: the order in which a point's chain visits its nodes, cycle after cycle. */
#ifndef TLBLAB_SIMULATE_ACCESS_ORDER_H
#define TLBLAB_SIMULATE_ACCESS_ORDER_H

#include "access/point.h"
#include "base/random.h"
#include <stdbool.h>
#include <stdint.h>

/* Visits that are counted of a chain too long to be walked whole. */
enum { ACCESS_ORDER_VISITS = 200000 };

struct access_order {
    uint64_t nodes;  /* visited nodes, numbered in the order of their addresses */
    uint32_t *order; /* one cycle of visits */
    bool partial;    /* the nodes are a sample of a chain too long to leave anything in a cache */
    bool fresh;      /* every cycle has an order of its own */
    bool drawn;    /* fresh, and each visit is drawn anew, so that a cycle leaves out some nodes */
    uint64_t span; /* nodes of the chain that the visited ones are drawn from */
    struct point part;
    struct random *random;
};

/* Draws the chain of the point. Only a part of a chain of more than `longest` nodes (at least twice
 * ACCESS_ORDER_VISITS) is visited. `random` must outlive the order. */
void access_order_open(struct access_order *order, const struct point *point, uint64_t longest,
                       struct random *random);
void access_order_close(struct access_order *order);

/* Draws the order of the next cycle of a fresh order. */
void access_order_redraw(struct access_order *order);

/* The chain's node that visited node `node` stands for, drawn evenly from `span`. */
uint64_t access_order_chain_node(struct access_order *order, uint64_t node);

#endif
