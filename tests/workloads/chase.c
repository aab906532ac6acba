/* chase.c: one chain through all nodes in random order, each of which says where the next one is. A
 * node on each of many pages needs a page walk a load; the same nodes within few pages need none.
 *
 * usage: chase [NODES [SPACING_BYTES [MILLION_LOADS]]]   (65536 4096 5)
 */
#include "workload.h"

ARRAY(nodes, char)

/* Nodes of a spacing of pages lie in different lines of their pages, so that they use all sets of
 * the caches. */
static size_t place(size_t node, size_t spacing)
{
    return node * spacing + (spacing >= 4096 ? node % 64 * 64 : 0);
}

static void link_nodes(char *memory, size_t nodes, size_t spacing)
{
    uint32_t *order = random_order(nodes);
    for (size_t i = 0; i < nodes; i++)
        *(char **)(void *)(memory + place(order[i], spacing)) = memory +
                                                                place(order[(i + 1) % nodes],
                                                                      spacing);
    free(order);
}

int main(int argc, char **argv)
{
    size_t nodes = (size_t)argument(argc, argv, 1, 65536);
    size_t spacing = (size_t)argument(argc, argv, 2, 4096);
    long loads = argument(argc, argv, 3, 5) * 1000000;
    check(nodes > 1 && spacing >= sizeof(char *), "two nodes at least, a pointer apart");
    char *memory = new_nodes(nodes * spacing + 4096), *volatile end;
    link_nodes(memory, nodes, spacing);
    begin_work();
    char *at = memory;
    for (long i = 0; i < loads; i++)
        at = *(char **)(void *)at;
    end = at;
    end_work((double)loads);
    (void)end;
    return 0;
}
