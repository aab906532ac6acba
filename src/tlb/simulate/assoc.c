/* assoc.c: one set-associative structure.
 *
 *     struct assoc_shape shape = {.entries = 1536, .ways = 12};
 *     struct assoc tlb;
 *     assoc_open(&tlb, &shape, numbers, pages, seed);
 *     bool hit = assoc_access(&tlb, page);
 */
#include "tlb/simulate/assoc.h"
#include "base/error.h"
#include "base/number.h"
#include "base/xor_space.h"
#include <stdlib.h>
#include <string.h>

const char *const replacement_names[] = {"lru", "plru", "random", "fifo", "nru", "srrip", NULL};

/* ---- the state of one set ---- */

/* SRRIP: the ages of a new key, and of a way that can be replaced. */
enum { AGE_NEW = 2, AGE_MAX = 3 };

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
    uint8_t more = (uint8_t)(AGE_MAX - ages[oldest]);
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

/* ---- all sets ---- */

/* Two representations. LRU and FIFO keep the keys of a set in a list, newest to oldest; the others
 * store the way of each key. In both, a link is the number of a key or way plus 1, and 0 means
 * none: memory starts zeroed, so sets that no key selects cost nothing. */
struct assoc_key {
    uint32_t set;
    uint32_t held;         /* 0: not held; else 1, or its way + 1 */
    uint32_t older, newer; /* in the list */
};

struct assoc_set {
    uint32_t held;           /* list: keys in it; else ways in use, including stale ones */
    uint32_t newest, oldest; /* list */
    uint32_t free;           /* a way whose key was invalidated; its slot links to the next one */
};

uint64_t assoc_set(const struct assoc_shape *shape, uint64_t number)
{
    uint64_t sets = shape->entries / shape->ways;
    if (shape->index == INDEX_BITS)
        return xor_index(shape->mask, highest_bit(sets), number);
    if (shape->index == INDEX_XOR)
        number ^= number >> shape->fold;
    else if (shape->index == INDEX_HASHED)
        number = random_mix(shape->key, number);
    return (sets & (sets - 1)) == 0 ? number & (sets - 1) : number % sets;
}

static uint64_t plru_held(uint64_t ways)
{
    uint64_t half = 1;
    while (2 * half < ways)
        half *= 2;
    return 2 * half == ways || ways == 1 ? ways : 2 * plru_held(ways - half) + 1;
}

uint64_t assoc_held(const struct assoc_shape *shape)
{
    return shape->replacement == REPLACE_PLRU ? plru_held(shape->ways) : shape->ways;
}

static bool is_list(const struct assoc *a)
{
    return a->shape->replacement == REPLACE_LRU || a->shape->replacement == REPLACE_FIFO;
}

/* Fills all sets with stale content: ways in use that hold no key. */
static void begin_stale(struct assoc *a, uint64_t sets)
{
    uint8_t most = a->shape->replacement == REPLACE_SRRIP ? AGE_MAX : 1;
    a->states = allocate(sets, a->leaves);
    for (uint64_t i = 0; i < sets * a->leaves; i++)
        a->states[i] = (uint8_t)(random_next(&a->random) >> 32) & most;
    for (uint64_t set = 0; set < sets; set++)
        a->sets[set].held = (uint32_t)a->shape->ways;
}

void assoc_open(struct assoc *a, const struct assoc_shape *shape, const uint64_t *numbers,
                uint32_t count, uint64_t seed)
{
    uint64_t sets = shape->entries / shape->ways;
    *a = (struct assoc){.shape = shape};
    a->leaves = replace_leaves(shape);
    a->sets = allocate(sets, sizeof *a->sets);
    a->keys = allocate((size_t)count + 1, sizeof *a->keys);
    for (uint32_t key = 0; key < count; key++)
        a->keys[key + 1].set = (uint32_t)assoc_set(shape, numbers[key]);
    random_seed(&a->random, seed, 0);
    if (!is_list(a))
        a->slots = allocate(shape->entries, sizeof *a->slots);
    if (!is_list(a) && shape->replacement != REPLACE_RANDOM)
        begin_stale(a, sets);
}

void assoc_close(struct assoc *a)
{
    free(a->sets);
    free(a->keys);
    free(a->slots);
    free(a->states);
}

/* ---- lists ---- */

static void list_remove(struct assoc *a, struct assoc_set *set, struct assoc_key *key)
{
    *(key->newer != 0 ? &a->keys[key->newer].older : &set->newest) = key->older;
    *(key->older != 0 ? &a->keys[key->older].newer : &set->oldest) = key->newer;
}

static void list_add(struct assoc *a, struct assoc_set *set, struct assoc_key *key)
{
    uint32_t link = (uint32_t)(key - a->keys);
    key->newer = 0;
    key->older = set->newest;
    *(set->newest != 0 ? &a->keys[set->newest].newer : &set->oldest) = link;
    set->newest = link;
}

static uint32_t list_fill(struct assoc *a, struct assoc_set *set, struct assoc_key *key)
{
    uint32_t victim = 0;
    if (set->held < a->shape->ways)
        set->held++;
    else {
        victim = set->oldest;
        list_remove(a, set, &a->keys[victim]);
        a->keys[victim].held = 0;
    }
    list_add(a, set, key);
    key->held = 1;
    return victim;
}

/* ---- ways ---- */

static uint8_t *state_of(const struct assoc *a, uint32_t set)
{
    return a->states + (size_t)set * a->leaves;
}

static void use_way(struct assoc *a, const struct assoc_key *key, bool fills)
{
    if (a->states != NULL)
        replace_use(a->shape, state_of(a, key->set), key->held - 1, fills);
}

static uint32_t way_to_fill(struct assoc *a, uint32_t number)
{
    struct assoc_set *set = &a->sets[number];
    uint64_t ways = a->shape->ways;
    uint32_t way = set->free;
    if (way != 0) {
        set->free = a->slots[number * ways + way - 1];
        a->slots[number * ways + way - 1] = 0;
        return way - 1;
    }
    if (set->held < ways)
        return set->held++;
    if (a->states != NULL)
        return replace_victim(a->shape, state_of(a, number));
    return (uint32_t)random_below(&a->random, ways);
}

static uint32_t way_fill(struct assoc *a, struct assoc_key *key)
{
    uint32_t way = way_to_fill(a, key->set);
    uint32_t *slot = &a->slots[key->set * a->shape->ways + way], victim = *slot;
    if (victim != 0)
        a->keys[victim].held = 0;
    *slot = (uint32_t)(key - a->keys);
    key->held = way + 1;
    use_way(a, key, true);
    return victim;
}

/* ---- both representations ---- */

bool assoc_hit(struct assoc *a, uint32_t number)
{
    struct assoc_key *key = &a->keys[number + 1];
    if (key->held == 0)
        return false;
    if (a->shape->replacement == REPLACE_LRU) {
        list_remove(a, &a->sets[key->set], key);
        list_add(a, &a->sets[key->set], key);
    } else
        use_way(a, key, false);
    return true;
}

uint32_t assoc_fill(struct assoc *a, uint32_t number)
{
    struct assoc_key *key = &a->keys[number + 1];
    return (is_list(a) ? list_fill(a, &a->sets[key->set], key) : way_fill(a, key)) - 1;
}

void assoc_drop(struct assoc *a, uint32_t number)
{
    struct assoc_key *key = &a->keys[number + 1];
    struct assoc_set *set = &a->sets[key->set];
    if (key->held == 0)
        return;
    if (is_list(a)) {
        list_remove(a, set, key);
        set->held--;
    } else {
        a->slots[key->set * a->shape->ways + key->held - 1] = set->free;
        set->free = key->held;
    }
    key->held = 0;
}

bool assoc_access(struct assoc *a, uint32_t key)
{
    if (assoc_hit(a, key))
        return true;
    assoc_fill(a, key);
    return false;
}
