/* btree.c: look-ups of random keys in a B-tree index whose nodes lie in random order.
 *
 * usage: btree [LOG2_KEYS [LOOKUPS]]   (24 4000000)
 */
#include "workload.h"

enum { FANOUT = 16 };

/* The smallest key below each child; leaves have the keys themselves, and values. */
struct node {
    uint64_t key[FANOUT];
    uint32_t child[FANOUT];
};

ARRAY(nodes, struct node)

static struct node *nodes;
static uint32_t *places; /* the nodes in random order */

/* Key k is 2k + 1 and has the value k. Builds a level over `count` children; returns the index of
 * its first node among places. */
static size_t build_level(size_t next, size_t first_below, size_t below, int leaf)
{
    for (size_t i = 0; i < below; i++) {
        struct node *n = &nodes[places[next + i / FANOUT]];
        n->key[i % FANOUT] = leaf ? 2 * i + 1 : nodes[places[first_below + i]].key[0];
        n->child[i % FANOUT] = leaf ? (uint32_t)i : places[first_below + i];
    }
    return next;
}

static __attribute__((noinline)) uint64_t look_up(uint32_t root, int levels, uint64_t key)
{
    uint32_t at = root;
    for (int level = 0; level < levels; level++) {
        const struct node *n = &nodes[at];
        int k = 0;
        while (k + 1 < FANOUT && n->key[k + 1] <= key)
            k++;
        if (level == levels - 1 && n->key[k] != key)
            return UINT64_MAX;
        at = n->child[k];
    }
    return at;
}

int main(int argc, char **argv)
{
    size_t keys = (size_t)1 << argument(argc, argv, 1, 24), count = 0;
    long lookups = argument(argc, argv, 2, 4000000), wrong = 0;
    int levels = 0;
    for (size_t n = keys; n > 1; n = (n + FANOUT - 1) / FANOUT)
        count += (n + FANOUT - 1) / FANOUT;
    nodes = new_nodes(count);
    memset(nodes, 0xff, count * sizeof *nodes); /* missing children have the largest key */
    places = random_order(count);
    size_t first = 0, next = 0;
    for (size_t n = keys; n > 1; levels++) {
        first = build_level(next, first, n, levels == 0);
        n = (n + FANOUT - 1) / FANOUT;
        next += n;
    }
    uint32_t root = places[first];
    begin_work();
    for (long i = 0; i < lookups; i++) {
        uint64_t key = next_random() % (2 * keys), value = look_up(root, levels, key);
        wrong += value != (key % 2 ? key / 2 : UINT64_MAX);
    }
    end_work((double)lookups);
    check(wrong == 0, "values");
    return 0;
}
