/* tour.c: the order in which a point's chain visits its nodes.
 *
 *     struct tour tour;
 *     tour_open(&tour, &point, 400000, &random);
 *     for (uint64_t i = 0; i < tour.nodes; i++)
 *         visit(tour.order[i]);
 */
#include "simulate/tour.h"
#include "access/chain.h"
#include "access/kernel.h"
#include "access/layout.h"
#include "base/error.h"
#include <stdlib.h>

enum { PART = 2 * TOUR_VISITS };

/* What stands for a very long chain are the first windows where it goes by windows, else as many of
 * its nodes as are visited, drawn evenly from all. */
static void choose_part(struct tour *tour, const struct point *point)
{
    tour->span = layout_nodes(point);
    if (layout_window(point) < tour->span)
        tour->span = layout_window(point); /* within a window the order is random */
    if (tour->partial && tour->span < PART) {
        uint64_t nodes = (PART / tour->span + 1) * tour->span;
        nodes = nodes < layout_nodes(point) ? nodes : layout_nodes(point);
        if (point->buffer > 0)
            tour->part.buffer = nodes * point->spacing;
        else
            tour->part.pages = nodes;
    } else if (tour->partial) {
        tour->part.layout = &layouts[LAYOUT_LINE];
        tour->part.pages = PART;
    }
    tour->nodes = layout_nodes(&tour->part);
    if (!tour->partial || !point->kernel->chases || tour->span < tour->nodes)
        tour->span = tour->nodes;
}

/* Every place drawn anew, some of a page at a time: see kernel.c. */
static void draw_places(struct tour *tour)
{
    uint64_t window = layout_window(&tour->part), pages = tour->nodes / window, page = 0;
    for (uint64_t i = 0; i < tour->nodes; i++) {
        if (i % KERNEL_DRAWS == 0)
            page = random_below(tour->random, pages) * window;
        tour->order[i] = (uint32_t)(page + random_below(tour->random, window));
    }
}

/* Writes down the nodes as the chain visits them. */
static void draw_order(struct tour *tour, uint32_t first)
{
    uint32_t *next = allocate(tour->nodes, sizeof *next);
    chain_build(next, &tour->part, tour->random);
    for (uint64_t i = 0; i < tour->nodes; i++, first = next[first])
        tour->order[i] = first;
    free(next);
}

void tour_open(struct tour *tour, const struct point *point, uint64_t longest,
               struct random *random)
{
    *tour = (struct tour){.part = *point, .random = random};
    tour->partial = layout_nodes(point) > (longest > PART ? longest : PART);
    tour->drawn = point->kernel->draws;
    tour->fresh = point->kernel->executes || tour->drawn;
    choose_part(tour, point);
    tour->order = allocate(tour->nodes, sizeof *tour->order);
    if (point->kernel->chases)
        draw_order(tour, 0);
    for (uint64_t i = 0; !point->kernel->chases && i < tour->nodes; i++)
        tour->order[i] = (uint32_t)i;
}

void tour_close(struct tour *tour)
{
    free(tour->order);
}

/* A random cycle from a random node on is a uniformly random order. */
void tour_again(struct tour *tour)
{
    if (tour->drawn)
        draw_places(tour);
    else
        draw_order(tour, (uint32_t)random_below(tour->random, tour->nodes));
}

/* The number of the chain's nodes before the one that is visited as `node`. */
static uint64_t nodes_before(const struct tour *tour, uint64_t node)
{
    uint64_t whole = tour->span / tour->nodes, rest = tour->span % tour->nodes;
    return node * whole + node * rest / tour->nodes;
}

uint64_t tour_chain_node(struct tour *tour, uint64_t node)
{
    if (tour->span == tour->nodes)
        return node;
    uint64_t before = nodes_before(tour, node), room = nodes_before(tour, node + 1) - before;
    return before + (room > 1 ? random_below(tour->random, room) : 0);
}
