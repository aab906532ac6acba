/* replace.c: which way of a full set is replaced under PLRU, NRU and SRRIP. */
#include "tlb/simulate/replace.h"
#include <string.h>

/* SRRIP: age of a new key. */
enum { AGE_NEW = 2 };

uint32_t replace_leaves(const struct assoc_shape *shape)
{
    uint32_t leaves = 1;
    while (leaves < shape->ways)
        leaves *= 2;
    return leaves;
}

/* Nodes of a tree are numbered from 1, the children of n are 2n and 2n + 1, and the leaves are the
 * ways. A node's bit selects the child to follow. */
static void tree_use(uint8_t *tree, uint32_t leaves, uint32_t way)
{
    for (uint32_t node = leaves + way; node > 1; node /= 2)
        tree[node / 2] = (node & 1) == 0;
}

static uint32_t tree_victim(const uint8_t *tree, uint32_t leaves, uint64_t ways)
{
    uint32_t node = 1, below = leaves; /* leaves below the node */
    while (node < leaves) {
        below /= 2;
        node = 2 * node + tree[node];
        if (node * below - leaves >= ways) /* its leftmost leaf is beyond the last way */
            node--;
    }
    return node - leaves;
}

static void nru_use(uint8_t *marks, uint64_t ways, uint32_t way)
{
    marks[way] = 1;
    if (memchr(marks, 0, ways) == NULL) {
        memset(marks, 0, ways);
        marks[way] = 1;
    }
}

static uint32_t nru_victim(const uint8_t *marks, uint64_t ways)
{
    const uint8_t *way = memchr(marks, 0, ways);
    return way != NULL ? (uint32_t)(way - marks) : 0;
}

static uint32_t srrip_victim(uint8_t *ages, uint64_t ways)
{
    uint32_t oldest = 0;
    for (uint32_t way = 1; way < ways; way++)
        if (ages[way] > ages[oldest])
            oldest = way;
    uint8_t more = (uint8_t)(REPLACE_AGE_MAX - ages[oldest]);
    for (uint32_t way = 0; way < ways; way++)
        ages[way] = (uint8_t)(ages[way] + more);
    return oldest;
}

void replace_use(const struct assoc_shape *shape, uint8_t *state, uint32_t way, bool fills)
{
    if (shape->replacement == REPLACE_PLRU)
        tree_use(state, replace_leaves(shape), way);
    else if (shape->replacement == REPLACE_NRU)
        nru_use(state, shape->ways, way);
    else if (shape->replacement == REPLACE_SRRIP)
        state[way] = fills ? AGE_NEW : 0;
}

uint32_t replace_victim(const struct assoc_shape *shape, uint8_t *state)
{
    if (shape->replacement == REPLACE_PLRU)
        return tree_victim(state, replace_leaves(shape), shape->ways);
    if (shape->replacement == REPLACE_NRU)
        return nru_victim(state, shape->ways);
    return srrip_victim(state, shape->ways);
}
