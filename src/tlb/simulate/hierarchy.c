/* hierarchy.c: set-associative levels, and the share of an access order that each serves. */
#include "tlb/simulate/hierarchy.h"
#include "base/error.h"
#include <stdlib.h>
#include <string.h>

/* ---- level by level ---- */

/* Under LRU a level independent of others is steady after one cycle: if it sees the same cycle of
 * visits over and over, it misses the same visits in each. Those misses are the cycle that the next
 * levels see. */
static bool misses_by_cycle(const struct hierarchy *h, int level)
{
    const struct hierarchy_level *l = &h->level[level];
    return l->shape.replacement == REPLACE_LRU && l->relation == INCLUSION_NEITHER &&
           l->fetched <= 1 && (level + 1 == h->levels || l[1].relation == INCLUSION_NEITHER);
}

/* The visits that no level has served yet, in order. */
struct visits {
    uint32_t *node;
    uint64_t count;
};

/* A set holds up to assoc_held() keys. Under LRU, a set with more keys than ways that sees each key
 * once per cycle has always evicted it before the next visit. Sets misses[key] for each key; false
 * if a set with too many keys sees one more than once per cycle, so this rule does not suffice. */
static bool count_misses(const struct hierarchy_level *level, const struct visits *visits,
                         bool *misses)
{
    const struct granules *granules = level->granules;
    uint32_t *keys = allocate(level->shape.entries / level->shape.ways, sizeof *keys);
    uint32_t *set = allocate(granules->count, sizeof *set);
    uint32_t *seen = allocate(granules->count, sizeof *seen);
    bool enough = true;
    for (uint64_t i = 0; i < visits->count; i++) {
        uint32_t key = granules->key[visits->node[i]];
        if (seen[key]++ == 0) {
            set[key] = (uint32_t)assoc_set(&level->shape, granules->number[key]);
            keys[set[key]]++;
        }
    }
    for (uint32_t key = 0; key < granules->count; key++) {
        misses[key] = seen[key] > 0 && keys[set[key]] > assoc_held(&level->shape);
        enough = enough && !(misses[key] && seen[key] > 1);
    }
    free(keys);
    free(set);
    free(seen);
    return enough;
}

/* Reduces the visits to those that miss in the steady state. */
static void pass_level(const struct hierarchy_level *level, struct visits *visits)
{
    const struct granules *granules = level->granules;
    bool *misses = allocate(granules->count, sizeof *misses);
    uint64_t left = 0;
    if (count_misses(level, visits, misses)) {
        for (uint64_t i = 0; i < visits->count; i++)
            if (misses[granules->key[visits->node[i]]])
                visits->node[left++] = visits->node[i];
    } else {
        struct assoc assoc;
        assoc_open(&assoc, &level->shape, granules->number, granules->count, 0);
        for (uint64_t i = 0; i < visits->count; i++)
            assoc_access(&assoc, granules->key[visits->node[i]]);
        for (uint64_t i = 0; i < visits->count; i++)
            if (!assoc_access(&assoc, granules->key[visits->node[i]]))
                visits->node[left++] = visits->node[i];
        assoc_close(&assoc);
    }
    visits->count = left;
    free(misses);
}

/* ---- visit by visit ---- */

/* With random replacement or fresh orders no cycle repeats: CYCLES_WARM cycles of at least
 * VISITS_WARM visits warm the structures, and one cycle of at least VISITS_COUNTED is counted. */
enum { CYCLES_WARM = 2, VISITS_WARM = 8000, VISITS_COUNTED = 20000 };

/* Otherwise cycles eventually repeat. Rounds of whole cycles, of at least VISITS_ROUND visits, are
 * replayed until one serves as much as the one before; under PLRU, NRU and SRRIP as the two before,
 * because stale content may take eight rounds to leave, with pauses. */
enum { VISITS_ROUND = 4000, ROUNDS_MAX = 12 };

struct replay {
    const struct hierarchy *h;
    struct assoc assoc[HIERARCHY_LEVELS];
    struct access_order *order;
    struct visits cycle;                   /* of those visits that the earlier levels missed */
    uint64_t at;                           /* position in the cycle */
    uint64_t served[HIERARCHY_LEVELS + 1]; /* visits */
};

/* Whether this level receives the keys evicted from the level before. */
static bool takes_victims(const struct hierarchy *h, int level)
{
    return level < h->levels && h->level[level].relation == INCLUSION_EXCLUSIVE;
}

/* Invalidates an evicted key in the levels that this one includes. */
static void drop_included(struct replay *r, int level, uint32_t key)
{
    while (level > 0 && r->h->level[level].relation == INCLUSION_INCLUSIVE)
        assoc_drop(&r->assoc[--level], key);
}

static void fill(struct replay *r, int level, uint32_t key)
{
    key = assoc_fill(&r->assoc[level], key);
    while (key != ASSOC_NONE) {
        drop_included(r, level, key);
        if (!takes_victims(r->h, ++level))
            return;
        key = assoc_fill(&r->assoc[level], key);
    }
}

/* Fills the neighbours that a miss fetches, then the key itself, so it is the most recently used.
 */
static void fetch(struct replay *r, int level, uint32_t key)
{
    uint32_t together = r->h->level[level].fetched > 1 ? r->h->level[level].fetched : 1;
    uint32_t first = key - key % together;
    for (uint32_t i = first; i < first + together; i++)
        if (i != key && !assoc_hit(&r->assoc[level], i))
            fill(r, level, i);
    fill(r, level, key);
}

/* The level that serves a visit; h->levels if none does. The levels before it are filled, last one
 * first: a key that one invalidates in the level before frees a way there. */
static int visit(struct replay *r, uint32_t node)
{
    const struct hierarchy_level *level = r->h->level;
    int hit = 0;
    while (hit < r->h->levels && !assoc_hit(&r->assoc[hit], level[hit].granules->key[node]))
        hit++;
    if (hit > 0 && takes_victims(r->h, hit))
        assoc_drop(&r->assoc[hit], level[hit].granules->key[node]);
    for (int i = hit - 1; i >= 0; i--)
        if (!takes_victims(r->h, i))
            fetch(r, i, level[i].granules->key[node]);
    return hit;
}

static void replay_on(struct replay *r, uint64_t visits)
{
    memset(r->served, 0, sizeof r->served);
    for (uint64_t i = 0; i < visits; i++) {
        r->served[visit(r, r->cycle.node[r->at])]++;
        if (++r->at == r->cycle.count) {
            r->at = 0;
            if (r->order->fresh)
                access_order_redraw(r->order);
        }
    }
}

static uint64_t whole_cycles(const struct replay *r, uint64_t cycles, uint64_t visits)
{
    uint64_t nodes = r->cycle.count > 0 ? r->cycle.count : 1;
    uint64_t longest = ACCESS_ORDER_VISITS / nodes;
    if (cycles > longest)
        cycles = longest > 0 ? longest : 1;
    if (cycles * nodes < visits)
        cycles = (visits - 1) / nodes + 1;
    return cycles * nodes;
}

static bool replaces(const struct hierarchy *h, enum assoc_replacement replacement)
{
    bool found = false;
    for (int i = 0; i < h->levels; i++)
        found = found || h->level[i].shape.replacement == replacement;
    return found;
}

static uint64_t replay_rounds(struct replay *r)
{
    uint64_t visits = whole_cycles(r, 1, VISITS_ROUND), before[HIERARCHY_LEVELS + 1];
    bool forgets = !replaces(r->h, REPLACE_PLRU) && !replaces(r->h, REPLACE_NRU) &&
                   !replaces(r->h, REPLACE_SRRIP);
    int wanted = forgets ? 1 : 2;
    replay_on(r, visits);
    for (int round = 1, alike = 0; round < ROUNDS_MAX && alike < wanted; round++) {
        memcpy(before, r->served, sizeof before);
        replay_on(r, visits);
        alike = memcmp(before, r->served, sizeof before) == 0 ? alike + 1 : 0;
    }
    return visits;
}

/* Reaches the steady state and leaves r->served for it; returns the number of visits counted. */
static uint64_t settle(struct replay *r)
{
    uint64_t warm = ACCESS_ORDER_VISITS, counted = ACCESS_ORDER_VISITS;
    for (uint32_t node = 0; r->order->drawn && node < r->order->nodes; node++)
        visit(r, node);
    if (!r->order->partial) {
        if (!r->order->fresh && !replaces(r->h, REPLACE_RANDOM))
            return replay_rounds(r);
        warm = whole_cycles(r, CYCLES_WARM, VISITS_WARM);
        counted = whole_cycles(r, 1, VISITS_COUNTED);
    }
    replay_on(r, warm);
    replay_on(r, counted);
    return counted;
}

/* Serves the visits from level `first` on; share[first …] is relative to `nodes` visits. */
static void serve_by_visit(const struct hierarchy *h, int first, struct replay *r, uint64_t seed,
                           double *share)
{
    struct hierarchy rest = {.levels = h->levels - first};
    double nodes = (double)r->order->nodes;
    memcpy(rest.level, h->level + first, (size_t)rest.levels * sizeof *rest.level);
    r->h = &rest;
    for (int i = 0; i < rest.levels; i++)
        assoc_open(&r->assoc[i], &rest.level[i].shape, rest.level[i].granules->number,
                   rest.level[i].granules->count, random_mix(seed, (uint64_t)first + (uint64_t)i));
    uint64_t visits = settle(r);
    for (int i = 0; i <= rest.levels; i++)
        share[first + i] = (double)r->served[i] / (double)visits * ((double)r->cycle.count / nodes);
    for (int i = 0; i < rest.levels; i++)
        assoc_close(&r->assoc[i]);
}

/* Whether the level holds every key and so evicts none; an inclusive level after it could still
 * invalidate one. */
static bool fits(const struct hierarchy *h, int level, const struct visits *visits)
{
    if (h->level[level].fetched > 1)
        return false;
    for (int i = level + 1; i < h->levels; i++)
        if (h->level[i].relation == INCLUSION_INCLUSIVE)
            return false;
    bool *misses = allocate(h->level[level].granules->count, sizeof *misses);
    count_misses(&h->level[level], visits, misses);
    bool all = memchr(misses, true, h->level[level].granules->count) == NULL;
    free(misses);
    return all;
}

void hierarchy_serve(const struct hierarchy *h, struct access_order *order, uint64_t seed,
                     double *share)
{
    struct replay r = {.order = order, .cycle = {order->order, order->nodes}};
    uint32_t *left = allocate(order->nodes, sizeof *left);
    bool cycles = !order->partial && !order->fresh;
    int level = 0;
    for (; cycles && level < h->levels && misses_by_cycle(h, level); level++) {
        uint64_t before = r.cycle.count;
        if (level == 0)
            r.cycle.node = memcpy(left, order->order, order->nodes * sizeof *left);
        if (before > 0)
            pass_level(&h->level[level], &r.cycle);
        share[level] = (double)(before - r.cycle.count) / (double)order->nodes;
    }
    if (level == h->levels || r.cycle.count == 0 || (!order->partial && fits(h, level, &r.cycle)))
        for (int i = level; i <= h->levels; i++)
            share[i] = i == level ? (double)r.cycle.count / (double)order->nodes : 0;
    else
        serve_by_visit(h, level, &r, seed, share);
    free(left);
}
