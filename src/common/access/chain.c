/* chain.c: random Hamiltonian cycles over numbered nodes.
 *
 *     uint32_t next[72];
 *     chain_cycle(next, 72, &random);
 *     for (uint32_t node = 0;; node = next[node]) ...
 */
#include "access/chain.h"
#include "access/layout.h"
#include "access/probe.h"
#include "base/error.h"
#include <stdlib.h>

/* The numbers 0 to n - 1 in random order. */
static void draw_order(uint32_t *order, uint64_t n, struct random *random)
{
    for (uint64_t i = 0; i < n; i++)
        order[i] = (uint32_t)i;
    random_shuffle(order, n, random);
}

void chain_cycle(uint32_t *next, uint64_t n, struct random *random)
{
    for (uint64_t i = 0; i < n; i++)
        next[i] = (uint32_t)i;
    for (uint64_t i = n - 1; i > 0; i--) { /* j < i, never j = i: that makes it a single cycle */
        uint64_t j = random_below(random, i);
        uint32_t swapped = next[i];
        next[i] = next[j];
        next[j] = swapped;
    }
}

/* Links the nodes of one window: writes the first to *link and returns where the node after the
 * last belongs. Skips numbers of `order` that are not below `size`: a shorter window reuses the
 * order of a longer one. */
static uint32_t *link_window(uint32_t *next, uint32_t *link, uint64_t base, uint64_t size,
                             const uint32_t *order, uint64_t box)
{
    for (uint64_t i = 0; i < box; i++)
        if (order[i] < size) {
            *link = (uint32_t)base + order[i];
            link = &next[*link];
        }
    return link;
}

void chain_boxes(uint32_t *next, uint64_t n, uint64_t box, enum chain_mode mode,
                 struct random *random)
{
    box = box == 0 || box > n ? n : box;
    uint64_t boxes = (n + box - 1) / box;
    uint32_t *inside = allocate(box, sizeof *inside), *among = NULL;
    if (mode == CHAIN_RANDOM_BOX) {
        among = allocate(boxes, sizeof *among);
        draw_order(among, boxes, random);
    }
    uint32_t first = 0, *link = &first;
    for (uint64_t b = 0; b < boxes; b++) {
        if (b == 0 || mode != CHAIN_SAME_RANDOM_IN_BOX)
            draw_order(inside, box, random);
        uint64_t base = (among != NULL ? among[b] : b) * box;
        link = link_window(next, link, base, n - base < box ? n - base : box, inside, box);
    }
    *link = first;
    free(among);
    free(inside);
}

void chain_rounds(uint32_t *next, uint64_t rounds, uint64_t targets, uint64_t others,
                  struct random *random)
{
    uint32_t *order = allocate(targets + others, sizeof *order), first = 0, *link = &first;
    for (uint64_t round = 0; round < rounds; round++) {
        uint32_t base = (uint32_t)(round * (targets + others));
        draw_order(order, targets, random);
        draw_order(order + targets, others, random);
        for (uint64_t i = 0; i < targets + others; i++) {
            *link = base + order[i] + (i < targets ? 0 : (uint32_t)targets);
            link = &next[*link];
        }
    }
    *link = first;
    free(order);
}

void chain_pairs(uint32_t *next, uint64_t n, uint64_t page, struct random *random)
{
    uint64_t pairs = (n + 1) / 2, nodes[2];
    uint32_t *after = allocate(pairs, sizeof *after), first = 0, *link = &first;
    uint32_t pair = 0;
    chain_boxes(after, pairs, page / 2, CHAIN_RANDOM_BOX, random);
    for (uint64_t i = 0; i < pairs; i++, pair = after[pair]) {
        uint64_t turned = random_below(random, 2);
        nodes[turned] = 2 * (uint64_t)pair;
        nodes[1 - turned] = nodes[turned] + 1;
        for (int k = 0; k < 2; k++)
            if (nodes[k] < n) {
                *link = (uint32_t)nodes[k];
                link = &next[*link];
            }
    }
    *link = first;
    free(after);
}

void chain_cut(uint32_t *next, uint64_t n, uint64_t count, uint32_t *first)
{
    uint32_t node = 0;
    for (uint64_t piece = 0; piece < count; piece++) {
        uint64_t length = n / count + (piece < n % count);
        uint32_t last = first[piece] = node;
        for (uint64_t i = 0; i < length; i++, node = next[node])
            last = node;
        next[last] = first[piece];
    }
}

struct random chain_random(const struct point *p, uint64_t seed)
{
    struct random random;
    uint64_t where = random_mix(random_mix(p->pages, p->spacing), (uint64_t)(p->layout - layouts));
    if (p->layout->probes)
        where = random_mix(where, random_mix(p->decoys, probe_number(p)));
    random_seed(&random, seed, random_mix(where, p->sample));
    return random;
}
