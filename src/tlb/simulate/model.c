/* model.c: simulated TLBs and caches. Every access looks up its page in the TLBs and its line in
 * the caches, so associativity, page frames and the order of the nodes show as they do on hardware.
 *
 *     struct model model;
 *     struct sample sample;
 *     model_read(&model, "src/tlb/models/zen4.tsv");
 *     model_measure(&model, &point, 42, &sample);
 */
#include "tlb/simulate/model.h"
#include "access/kernel.h"
#include "access/layout.h"
#include "access/probe.h"
#include "base/error.h"
#include "base/number.h"
#include "tlb/simulate/access_order.h"
#include "tlb/simulate/frames.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Neighbouring pages of backing `contiguous` that lie on neighbouring frames: as many as one TLB
 * entry can hold (COALESCE_MAX in model_read.c). */
enum { CONTIGUOUS_PAGES = 64 };

/* ---- the page of a point ---- */

/* The point, with the page size it has on this machine. */
static struct point point_here(const struct model *model, const struct point *point)
{
    struct point here = *point;
    if (!point->backing->huge)
        here.page_bytes = model->page_bytes;
    return here;
}

/* The page size that the TLBs see: the base page if huge pages are splintered. */
static uint64_t pages_seen(const struct model *model, const struct point *here)
{
    return model->splintered ? model->page_bytes : here->page_bytes;
}

static bool coalesces(const struct model *model, const struct point *here)
{
    return here->backing->contiguous || (here->backing->huge && !model->splintered);
}

/* The number of bytes that are contiguous in physical memory. */
static uint64_t frame_bytes(const struct model *model, const struct point *here)
{
    uint64_t bytes = pages_seen(model, here);
    for (int n = 1; here->backing->contiguous && n < CONTIGUOUS_PAGES; n *= 2)
        bytes = 2 * bytes <= model->memory_bytes ? 2 * bytes : bytes;
    return bytes;
}

static const struct model_rows *tlb_of(const struct model *model, const struct point *point)
{
    return point->kernel->executes ? &model->itlb : &model->dtlb;
}

int model_levels(const struct model_rows *rows, uint64_t page_bytes,
                 const struct model_level *levels[MODEL_LEVELS])
{
    int count = 0;
    for (int i = 0; i < rows->count && count < MODEL_LEVELS; i++) {
        const struct model_level *level = &rows->at[i];
        if (level->number == count + 1 &&
            (level->page_bytes == 0 || level->page_bytes == page_bytes)) {
            levels[count++] = level;
            i = -1; /* the row of the next level may precede this one */
        }
    }
    return count;
}

static void take_ways(struct model_rows *rows, double share)
{
    for (int i = 0; i < rows->count; i++) {
        struct assoc_shape *shape = &rows->at[i].shape;
        uint64_t sets = shape->entries / shape->ways;
        shape->ways -= (uint64_t)fmin(round(share * (double)shape->ways), (double)shape->ways - 1);
        shape->entries = sets * shape->ways;
    }
}

struct model model_beside_neighbour(const struct model *model, double share)
{
    struct model left = *model;
    take_ways(&left.dtlb, share);
    take_ways(&left.itlb, share);
    return left;
}

/* ---- nodes ---- */

/* The visited nodes, and their pages and lines at each granularity. */
struct nodes {
    uint64_t count;
    uint64_t *address; /* ascending */
    struct granules granules[HIERARCHY_LEVELS + 1];
    unsigned shift[HIERARCHY_LEVELS + 1];
    int kinds;
};

struct placed {
    uint64_t address;
    uint32_t node;
};

static int compare_addresses(const void *a, const void *b)
{
    uint64_t x = ((const struct placed *)a)->address, y = ((const struct placed *)b)->address;
    return (x > y) - (x < y);
}

/* Renumbers the nodes by address; the order visits the same addresses as before. */
static void sort_nodes(struct nodes *nodes, struct access_order *order)
{
    struct placed *placed = allocate(nodes->count, sizeof *placed);
    uint32_t *rank = allocate(nodes->count, sizeof *rank);
    for (uint64_t i = 0; i < nodes->count; i++)
        placed[i] = (struct placed){nodes->address[i], (uint32_t)i};
    qsort(placed, nodes->count, sizeof *placed, compare_addresses);
    for (uint64_t i = 0; i < nodes->count; i++) {
        nodes->address[i] = placed[i].address;
        rank[placed[i].node] = (uint32_t)i;
    }
    for (uint64_t i = 0; i < order->nodes; i++)
        order->order[i] = rank[order->order[i]];
    free(placed);
    free(rank);
}

static void place_nodes(struct nodes *nodes, const struct point *here, uint64_t line_bytes,
                        struct access_order *order)
{
    bool ascending = true;
    nodes->count = order->nodes;
    nodes->address = allocate(nodes->count, sizeof *nodes->address);
    for (uint64_t i = 0; i < nodes->count; i++) {
        uint64_t node = access_order_chain_node(order, i);
        nodes->address[i] = here->layout->offset(here, line_bytes, node);
        ascending = ascending && (i == 0 || nodes->address[i - 1] <= nodes->address[i]);
    }
    if (!ascending)
        sort_nodes(nodes, order);
}

/* The pages or lines of 2^shift bytes on which nodes lie; nodes of one page are consecutive. */
static const struct granules *granules_of(struct nodes *nodes, unsigned shift)
{
    int kind = 0;
    while (kind < nodes->kinds && nodes->shift[kind] != shift)
        kind++;
    struct granules *g = &nodes->granules[kind];
    if (kind < nodes->kinds)
        return g;
    nodes->shift[nodes->kinds++] = shift;
    g->key = allocate(nodes->count, sizeof *g->key);
    g->number = allocate(nodes->count, sizeof *g->number);
    for (uint64_t i = 0; i < nodes->count; i++) {
        uint64_t number = nodes->address[i] >> shift;
        if (g->count == 0 || number != g->number[g->count - 1])
            g->number[g->count++] = number;
        g->key[i] = g->count - 1;
    }
    return g;
}

static void free_nodes(struct nodes *nodes)
{
    free(nodes->address);
    for (int i = 0; i < nodes->kinds; i++) {
        free(nodes->granules[i].key);
        free(nodes->granules[i].number);
    }
}

static void add_level(struct hierarchy *h, const struct model_level *level,
                      const struct granules *granules)
{
    h->level[h->levels++] = (struct hierarchy_level){level->shape, level->relation, granules, 0};
}

/* ---- translation ---- */

/* The TLBs, followed by the page-walk caches, which hold entries of the upper tables. A huge page
 * has fewer tables. */
static double translation_ns(const struct model *m, const struct point *here, uint64_t seed,
                             struct nodes *nodes, struct access_order *order)
{
    const struct model_level *tlb[MODEL_LEVELS], *walk[MODEL_LEVELS];
    unsigned page = highest_bit(pages_seen(m, here)), base = highest_bit(m->page_bytes);
    double cost[HIERARCHY_LEVELS + 1], share[HIERARCHY_LEVELS + 1], ns = 0;
    struct hierarchy h = {.levels = 0};
    int tlbs = model_levels(tlb_of(m, here), pages_seen(m, here), tlb);
    int walks = model_levels(&m->walk, m->page_bytes, walk);
    for (int i = 0; i < tlbs; i++) {
        uint64_t pages = coalesces(m, here) && tlb[i]->coalesce > 0 ? tlb[i]->coalesce : 1;
        cost[h.levels] = tlb[i]->ns;
        add_level(&h, tlb[i], granules_of(nodes, page + highest_bit(pages)));
    }
    cost[h.levels] = m->walk_ns;
    for (unsigned i = 0; i < (unsigned)walks; i++) {
        unsigned covers = base + (i + 1) * (base - 3); /* a table entry has 8 bytes */
        if (covers > page) {
            add_level(&h, walk[i], granules_of(nodes, covers < 63 ? covers : 63));
            cost[h.levels] = cost[h.levels - 1] + walk[i]->ns;
        }
    }
    hierarchy_serve(&h, order, seed, share);
    for (int i = 0; i <= h.levels; i++)
        ns += share[i] * cost[i];
    return ns;
}

/* ---- caches ---- */

/* Maximum number of lines that a miss in any cache fetches; all are powers of two, so each divides
 * it. */
static uint64_t lines_fetched(const struct model *m, const struct model_level *const *cache,
                              int caches)
{
    uint64_t most = 1;
    for (int i = 0; i < caches; i++) {
        uint64_t lines = cache[i]->fetch_bytes / m->line_bytes;
        most = lines > most ? lines : most;
    }
    return most;
}

/* The lines by physical number, in groups of `fetched` neighbours; nodes may lie on only some lines
 * of a group. */
static struct granules physical_lines(const struct model *m, const struct point *here,
                                      const struct nodes *nodes, uint64_t fetched,
                                      const struct frames *frames)
{
    unsigned shift = highest_bit(frame_bytes(m, here)), line_shift = highest_bit(m->line_bytes);
    uint64_t frame = 0, used = 0, last = UINT64_MAX, offset_mask = ((uint64_t)1 << shift) - 1;
    struct granules physical = {.count = 0};
    physical.key = allocate(nodes->count, sizeof *physical.key);
    physical.number = allocate(nodes->count, fetched * sizeof *physical.number);
    for (uint64_t i = 0; i < nodes->count; i++) {
        uint64_t address = nodes->address[i], line = address >> line_shift;
        if (i == 0 || address >> shift != nodes->address[i - 1] >> shift)
            frame = frames_at(frames, used++);
        uint64_t number = (frame << shift | (address & offset_mask)) >> line_shift;
        for (uint64_t k = 0; k < fetched && line / fetched != last; k++)
            physical.number[physical.count++] = number - number % fetched + k;
        last = line / fetched;
        physical.key[i] = (uint32_t)(physical.count - fetched + line % fetched);
    }
    return physical;
}

/* All levels are physically indexed. If the ways of a first level are no larger than a page, the
 * virtual address has the same index bits; hardware makes a larger one behave the same way. */
static double caches_ns(const struct model *m, const struct point *here, uint64_t seed,
                        struct nodes *nodes, struct access_order *order,
                        const struct frames *frames)
{
    const struct model_level *all[MODEL_LEVELS];
    double share[HIERARCHY_LEVELS + 1], ns = 0;
    struct hierarchy h = {.levels = 0};
    int caches = model_levels(&m->cache, m->page_bytes, all);
    int bypassed = here->kernel->bypasses && caches > 0;
    const struct model_level *const *cache = all + bypassed;
    caches -= bypassed;
    uint64_t fetched = lines_fetched(m, cache, caches);
    struct granules physical = physical_lines(m, here, nodes, fetched, frames);
    for (int i = 0; i < caches; i++) {
        add_level(&h, cache[i], &physical);
        h.level[i].fetched = (uint32_t)(cache[i]->fetch_bytes / m->line_bytes);
    }
    if (bypassed && caches > 0)
        h.level[0].relation = INCLUSION_NEITHER; /* it has no level before it */
    hierarchy_serve(&h, order, random_mix(seed, 1), share);
    for (int i = 0; i <= caches; i++)
        ns += share[i] * (i < caches ? cache[i]->ns : m->memory_ns);
    free(physical.number);
    free(physical.key);
    return ns;
}

/* ---- points and samples ---- */

static uint64_t mix_text(uint64_t stream, const char *text)
{
    for (; *text != '\0'; text++)
        stream = random_mix(stream, (unsigned char)*text);
    return stream;
}

uint64_t model_stream(const struct point *p)
{
    const uint64_t numbers[] = {p->pages, p->spacing, p->page_bytes, p->sample, p->buffer};
    uint64_t stream = p->buffer > 0 ? (uint64_t)p->chain : 0;
    if (p->targets > 0)
        stream = random_mix(p->targets, p->others);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        stream = random_mix(stream, numbers[i]);
    if (p->touches > 0)
        stream = random_mix(stream, random_mix(p->touches, random_mix(p->decoys, probe_number(p))));
    return mix_text(mix_text(mix_text(stream, p->layout->name), p->kernel->name), p->backing->name);
}

/* Nothing of a chain longer than this survives in any cache from one cycle to the next. */
static uint64_t longest_whole(const struct model *model)
{
    uint64_t most = 0;
    for (int i = 0; i < model->cache.count; i++)
        if (2 * model->cache.at[i].shape.entries > most)
            most = 2 * model->cache.at[i].shape.entries;
    return most;
}

/* Time of a probe, whose page is in the TLB: that of the first cache, or of memory. */
static double probe_ns(const struct model *model, const struct point *here)
{
    const struct model_level *cache[MODEL_LEVELS];
    double hit = prefetchers_hit(&model->prefetchers, here, model->line_bytes);
    double ns = model_levels(&model->cache, model->page_bytes, cache) > 0 ? cache[0]->ns
                                                                          : model->memory_ns;
    return hit * ns + (1 - hit) * model->memory_ns;
}

/* Time per access in the steady state. */
static double steady_ns(const struct model *model, const struct point *here, uint64_t seed)
{
    uint64_t stream = model_stream(here);
    struct random random;
    struct access_order order;
    struct nodes nodes = {.kinds = 0};
    random_seed(&random, seed, stream);
    access_order_open(&order, here, longest_whole(model), &random);
    struct frames frames = frames_draw(model->memory_bytes / frame_bytes(model, here), &random);
    place_nodes(&nodes, here, model->line_bytes, &order);
    seed = random_mix(seed, stream);
    double ns = translation_ns(model, here, seed, &nodes, &order) +
                caches_ns(model, here, seed, &nodes, &order, &frames);
    free_nodes(&nodes);
    access_order_close(&order);
    return ns;
}

const char *model_refuses(const struct model *model, const struct point *point)
{
    static char why[128];
    const struct model_level *tlb[MODEL_LEVELS];
    struct point here = point_here(model, point);
    uint64_t page = pages_seen(model, &here), frame = frame_bytes(model, &here);
    const struct model_rows *rows = tlb_of(model, &here);
    /* The point may come from a machine with other pages, but drawn nodes fill the pages here. */
    const char *impossible = point_refuses(point->kernel->draws ? &here : point);
    if (impossible == NULL)
        impossible = backing_refuses(here.backing, here.page_bytes, model->page_bytes);
    if (impossible != NULL)
        return impossible;
    uint64_t nodes = layout_nodes(&here), frames = (layout_bytes(&here) - 1) / frame + 1;
    if ((nodes < frames ? nodes : frames) > model->memory_bytes / frame)
        return "the nodes do not fit into the machine's memory";
    if (rows == &model->itlb && rows->count == 0)
        return "kernel 'code' needs an itlb, and the machine has none";
    if (model_levels(rows, page, tlb) > 0 || (rows->count == 0 && page == model->page_bytes))
        return NULL;
    snprintf(why, sizeof why, "no TLB rows for pages of %llu bytes", (unsigned long long)page);
    return why;
}

/* The printed lab makes 10 Mi references, rounded down to whole passes over its pages. */
static double lab_references(const struct point *point)
{
    uint64_t rounds = (10 << 20) / point->pages;
    return (double)((rounds > 0 ? rounds : 1) * point->pages);
}

void model_measure(const struct model *model, const struct point *point, uint64_t seed,
                   struct sample *s)
{
    *s = (struct sample){.point = point_here(model, point), .loads = ACCESS_ORDER_VISITS};
    s->faults = s->switches = s->migrations = s->refs = s->sum = NAN;
    s->ns = point->kernel == &kernels[KERNEL_DUMMY] ? 1
            : point->kernel->times                  ? probe_ns(model, &s->point)
                                                    : steady_ns(model, &s->point, seed);
    if (point->chains > 1) /* the chains overlap completely */
        s->ns /= (double)point->chains;
    if (!point->kernel->chases)
        s->loads = s->refs = s->sum = lab_references(point);
    s->run_s = s->loads * s->ns / 1e9;
    s->proc_s = s->refs * s->ns / 1e9;
    s->t_s = (double)point->sample;
}
