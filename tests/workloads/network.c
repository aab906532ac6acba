/* network.c: a network of nodes and arcs joined by pointers, as mcf has them: for each arc the
 * potentials of its two nodes are looked up, and the tree of nodes is walked by its pointers.
 *
 * usage: network [NODES [ARCS [ROUNDS]]]   (1000000 4000000 3)
 */
#include "workload.h"

struct node {
    struct node *parent, *next;
    int64_t potential, cost;
    uint64_t filling[4];
};

struct arc {
    struct node *tail, *head;
    int64_t cost, reduced;
};

ARRAY(nodes, struct node)
ARRAY(arcs, struct arc)

/* The nodes in a random order, each linked to the next; a parent comes before its children. */
static struct node *link_nodes(struct node *nodes, long count)
{
    uint32_t *order = random_order((size_t)count);
    for (long i = 0; i < count; i++) {
        struct node *n = &nodes[order[i]];
        n->parent = i > 0 ? &nodes[order[next_random() % (uint64_t)i]] : NULL;
        n->next = i + 1 < count ? &nodes[order[i + 1]] : NULL;
        n->cost = (int64_t)(next_random() % 100);
    }
    struct node *root = &nodes[order[0]];
    free(order);
    return root;
}

static __attribute__((noinline)) void refresh(struct node *root)
{
    for (struct node *n = root; n != NULL; n = n->next)
        n->potential = n->parent != NULL ? n->parent->potential + n->cost : 0;
}

static __attribute__((noinline)) int64_t price(struct arc *arcs, long count)
{
    int64_t negative = 0;
    for (long i = 0; i < count; i++) {
        arcs[i].reduced = arcs[i].cost - arcs[i].tail->potential + arcs[i].head->potential;
        negative += arcs[i].reduced < 0;
    }
    return negative;
}

int main(int argc, char **argv)
{
    long nodes = argument(argc, argv, 1, 1000000), arcs = argument(argc, argv, 2, 4000000);
    long rounds = argument(argc, argv, 3, 3);
    struct node *node = new_nodes((size_t)nodes), *root = link_nodes(node, nodes);
    struct arc *arc = new_arcs((size_t)arcs);
    for (long i = 0; i < arcs; i++)
        arc[i] = (struct arc){&node[next_random() % (uint64_t)nodes],
                              &node[next_random() % (uint64_t)nodes],
                              (int64_t)(next_random() % 100), 0};
    int64_t first = 0, last = 0;
    begin_work();
    for (long round = 0; round < rounds; round++) {
        refresh(root);
        last = price(arc, arcs);
        first = round == 0 ? last : first;
    }
    end_work((double)rounds * (double)(nodes + arcs));
    check(first == last && first > 0 && first < arcs, "rounds differ");
    return 0;
}
