/* access_order.c: the order in which a point's chain visits its nodes. */
#include "tlb/simulate/access_order.h"
#include "access/kernel.h"
#include "access/layout.h"
#include "base/error.h"
#include <stdlib.h>

enum { PART = 2 * ACCESS_ORDER_VISITS };

/* Chooses the visited part of a very long chain: its first windows if the chain goes window by
 * window, else PART of its nodes, drawn uniformly from all. */
static void choose_part(struct access_order *order, const struct point *point)
{
    order->span = layout_nodes(point);
    if (layout_window(point) < order->span)
        order->span = layout_window(point); /* within a window the order is random */
    if (order->partial && order->span < PART) {
        uint64_t nodes = (PART / order->span + 1) * order->span;
        nodes = nodes < layout_nodes(point) ? nodes : layout_nodes(point);
        if (point->buffer > 0)
            order->part.buffer = nodes * point->spacing;
        else
            order->part.pages = nodes;
    } else if (order->partial) {
        order->part.layout = &layouts[LAYOUT_LINE];
        order->part.pages = PART;
    }
    order->nodes = layout_nodes(&order->part);
    if (!order->partial || !point->kernel->chases || order->span < order->nodes)
        order->span = order->nodes;
}

/* Draws each visit independently, KERNEL_DRAWS of them on one page, as kernel.c does. */
static void draw_places(struct access_order *order)
{
    uint64_t window = layout_window(&order->part), pages = order->nodes / window, page = 0;
    for (uint64_t i = 0; i < order->nodes; i++) {
        if (i % KERNEL_DRAWS == 0)
            page = random_below(order->random, pages) * window;
        order->order[i] = (uint32_t)(page + random_below(order->random, window));
    }
}

/* Lists the nodes in the order in which the chain visits them. */
static void draw_order(struct access_order *order, uint32_t first)
{
    uint32_t *next = allocate(order->nodes, sizeof *next);
    order->part.layout->chain(next, &order->part, order->random);
    for (uint64_t i = 0; i < order->nodes; i++, first = next[first])
        order->order[i] = first;
    free(next);
}

void access_order_open(struct access_order *order, const struct point *point, uint64_t longest,
                       struct random *random)
{
    *order = (struct access_order){.part = *point, .random = random};
    order->partial = layout_nodes(point) > (longest > PART ? longest : PART);
    order->drawn = point->kernel->draws;
    order->fresh = order->drawn;
    choose_part(order, point);
    order->order = allocate(order->nodes, sizeof *order->order);
    if (point->kernel->chases)
        draw_order(order, 0);
    for (uint64_t i = 0; !point->kernel->chases && i < order->nodes; i++)
        order->order[i] = (uint32_t)i;
}

void access_order_close(struct access_order *order)
{
    free(order->order);
}

/* A random cycle, started at a random node, is a uniformly random order. */
void access_order_redraw(struct access_order *order)
{
    if (order->drawn)
        draw_places(order);
    else
        draw_order(order, (uint32_t)random_below(order->random, order->nodes));
}

/* The number of chain nodes before the first that `node` may represent. */
static uint64_t nodes_before(const struct access_order *order, uint64_t node)
{
    uint64_t whole = order->span / order->nodes, rest = order->span % order->nodes;
    return node * whole + node * rest / order->nodes;
}

uint64_t access_order_chain_node(struct access_order *order, uint64_t node)
{
    if (order->span == order->nodes)
        return node;
    uint64_t before = nodes_before(order, node), count = nodes_before(order, node + 1) - before;
    return before + (count > 1 ? random_below(order->random, count) : 0);
}
