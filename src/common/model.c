/* model.c: simulated TLBs and caches. The chain is really walked: every access looks up its page in
 * the TLBs and its line in the caches, so that associativity, page frames and the order of the
 * nodes show as they do on hardware.
 *
 *     struct model model;
 *     struct sample sample;
 *     model_read(&model, "tests/models/zen4.tsv");
 *     model_measure(&model, &point, 42, &sample);
 */
#include "model.h"
#include "chain.h"
#include "error.h"
#include "kernel.h"
#include "layout.h"
#include "lru.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Accesses of one measurement, and nodes that stand for a chain too long to walk: enough to warm up
 * and to measure without coming to a node twice. */
enum { WALK = 200000, PART = 2 * WALK };

/* ---- page frames ---- */

/* A bijection on 0 … count − 1 that looks random: page frames are drawn without repetition, and no
 * list of those that are taken is needed. */
struct frames {
    uint64_t count, mask, key[4];
    unsigned half;
};

static struct frames draw_frames(uint64_t count, struct random *random)
{
    struct frames f = {.count = count, .mask = 0, .half = 1};
    unsigned bits = 0;
    while (f.mask < count - 1) {
        f.mask = f.mask << 1 | 1;
        bits++;
    }
    if (bits > 3)
        f.half = bits / 2;
    for (int i = 0; i < 4; i++)
        f.key[i] = random_next(random);
    return f;
}

/* Each step is a bijection on the numbers up to mask; those beyond count go round again. */
static uint64_t frame_of(const struct frames *f, uint64_t page)
{
    do
        for (int i = 0; i < 4; i++) {
            page = (page + f->key[i]) * 0xd6e8feb86659fd93 & f->mask;
            page ^= page >> f->half;
        }
    while (page >= f->count);
    return page;
}

/* ---- walking a chain ---- */

struct walk {
    const struct model *model;
    bool partial;                 /* a very long chain: only a part of it is walked */
    uint64_t nodes;               /* that are walked */
    uint64_t span;                /* the chain's nodes that they stand for */
    uint32_t *next, *page, *line; /* of each node */
    uint32_t at;
    struct lru tlb[MODEL_LEVELS], cache[MODEL_LEVELS];
};

/* How many accesses each level served; behind the last one, the walk and the memory. */
struct served {
    uint64_t tlb[MODEL_LEVELS + 1], cache[MODEL_LEVELS + 1];
};

/* A longer chain than this leaves nothing in any cache from one cycle to the next, so that a part
 * of it costs as much per access as the whole. */
static uint64_t longest_whole(const struct model *model)
{
    uint64_t most = PART;
    for (int i = 0; i < model->caches; i++)
        if (2 * model->cache[i].entries > most)
            most = 2 * model->cache[i].entries;
    return most;
}

/* Builds the chain. What stands for a very long one are the first windows where it goes by windows,
 * else as many of its nodes as are walked, drawn evenly from all. */
static void build_chain(struct walk *w, const struct point *point, struct random *random)
{
    struct point part = *point;
    bool ordered = !point->kernel->chases;
    uint64_t nodes = layout_nodes(point);
    w->partial = nodes > longest_whole(w->model);
    w->span = nodes;
    if (strcmp(point->layout->name, "box") == 0 && point->pages < nodes)
        w->span = point->pages; /* within a window the order is random */
    if (w->partial && w->span < PART) {
        uint64_t bytes = (PART / w->span + 1) * w->span * point->spacing;
        part.buffer = bytes < part.buffer ? bytes : part.buffer;
    } else if (w->partial) {
        part.layout = layout_find("line", 4);
        part.pages = PART;
    }
    w->nodes = layout_nodes(&part);
    if (!w->partial || ordered || w->span < w->nodes)
        w->span = w->nodes;
    w->next = allocate(w->nodes, sizeof *w->next);
    if (!ordered)
        chain_build(w->next, &part, random);
    for (uint64_t i = 0; ordered && i < w->nodes; i++)
        w->next[i] = (uint32_t)((i + 1) % w->nodes);
}

/* The number of the chain's nodes below the i-th of those that are walked. */
static uint64_t nodes_below(const struct walk *w, uint64_t i)
{
    return i * (w->span / w->nodes) + i * (w->span % w->nodes) / w->nodes;
}

/* Gives every node its page and its line, and these their sets. Nodes lie in ascending order, so a
 * page or a line is new or that of the node before. The first level of the caches is indexed by the
 * virtual address, the others by the physical one, the TLBs by the virtual page. */
static void place_nodes(struct walk *w, const struct point *point, struct random *random)
{
    const struct model *m = w->model;
    struct frames frames = draw_frames(m->memory_bytes / m->page_bytes, random);
    uint64_t last_page = UINT64_MAX, last_line = UINT64_MAX, frame = 0;
    uint32_t pages = 0, lines = 0;
    for (uint64_t i = 0; i < w->nodes; i++) {
        uint64_t node = nodes_below(w, i);
        node += random_below(random, nodes_below(w, i + 1) - node);
        uint64_t address = point->layout->offset(point, m->line_bytes, node);
        uint64_t page = address / m->page_bytes, line = address / m->line_bytes;
        if (page != last_page) {
            frame = frame_of(&frames, pages);
            for (int t = 0; t < m->tlbs; t++)
                lru_place(&w->tlb[t], pages, page);
            pages++;
        }
        if (line != last_line) {
            uint64_t physical = (frame * m->page_bytes + address % m->page_bytes) / m->line_bytes;
            for (int c = 0; c < m->caches; c++)
                lru_place(&w->cache[c], lines, c == 0 ? line : physical);
            lines++;
        }
        w->page[i] = pages - 1;
        w->line[i] = lines - 1;
        last_page = page;
        last_line = line;
    }
}

static void walk_open(struct walk *w, const struct model *model, const struct point *point,
                      uint64_t seed)
{
    struct random random;
    *w = (struct walk){.model = model};
    random_seed(&random, seed, model_stream(point));
    build_chain(w, point, &random);
    w->page = allocate(w->nodes, sizeof *w->page);
    w->line = allocate(w->nodes, sizeof *w->line);
    for (int t = 0; t < model->tlbs; t++)
        lru_open(&w->tlb[t], model->tlb[t].entries, model->tlb[t].ways, w->nodes);
    for (int c = 0; c < model->caches; c++)
        lru_open(&w->cache[c], model->cache[c].entries, model->cache[c].ways, w->nodes);
    place_nodes(w, point, &random);
}

static void walk_close(struct walk *w)
{
    for (int t = 0; t < w->model->tlbs; t++)
        lru_close(&w->tlb[t]);
    for (int c = 0; c < w->model->caches; c++)
        lru_close(&w->cache[c]);
    free(w->next);
    free(w->page);
    free(w->line);
}

/* A level that misses is filled on the way, and keeps what other levels drop. */
static struct served walk_on(struct walk *w, uint64_t accesses)
{
    struct served served = {0};
    int tlbs = w->model->tlbs, caches = w->model->caches;
    for (; accesses > 0; accesses--) {
        int t = 0, c = 0;
        while (t < tlbs && !lru_access(&w->tlb[t], w->page[w->at]))
            t++;
        while (c < caches && !lru_access(&w->cache[c], w->line[w->at]))
            c++;
        served.tlb[t]++;
        served.cache[c]++;
        w->at = w->next[w->at];
    }
    return served;
}

static double mean_ns(const struct model *m, const struct served *served)
{
    double sum = (double)served->tlb[m->tlbs] * m->walk_ns, accesses = 0;
    for (int t = 0; t < m->tlbs; t++)
        sum += (double)served->tlb[t] * m->tlb[t].ns;
    for (int c = 0; c <= m->caches; c++) {
        sum += (double)served->cache[c] * (c < m->caches ? m->cache[c].ns : m->memory_ns);
        accesses += (double)served->cache[c];
    }
    return sum / accesses;
}

/* Time per access in the steady state. A level is steady one cycle after the level before it: short
 * chains are walked until a cycle repeats the one before. */
static double steady_ns(const struct model *model, const struct point *point, uint64_t seed)
{
    struct walk w;
    walk_open(&w, model, point, seed);
    uint64_t accesses = w.nodes < WALK ? w.nodes : WALK;
    struct served before = walk_on(&w, w.partial ? WALK : w.nodes), now = walk_on(&w, accesses);
    for (int k = 0; k < MODEL_LEVELS && w.nodes <= WALK && memcmp(&before, &now, sizeof now); k++) {
        before = now;
        now = walk_on(&w, accesses);
    }
    walk_close(&w);
    return mean_ns(model, &now);
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
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        stream = random_mix(stream, numbers[i]);
    return mix_text(mix_text(mix_text(stream, p->layout->name), p->kernel->name), p->backing->name);
}

const char *model_refuses(const struct model *model, const struct point *point)
{
    uint64_t nodes = layout_nodes(point), bytes = layout_bytes(point);
    if (nodes == 0)
        return "layout 'box' needs metadata buffer_bytes";
    if (bytes == 0)
        return "the buffer is larger than addresses reach";
    uint64_t pages = (bytes - 1) / model->page_bytes + 1;
    if ((nodes < pages ? nodes : pages) > model->memory_bytes / model->page_bytes)
        return "the nodes do not fit into the machine's memory";
    return NULL;
}

/* The printed lab makes ten Mi references, but whole rounds over its pages. */
static double lab_references(const struct point *point)
{
    uint64_t rounds = (10 << 20) / point->pages;
    return (double)((rounds > 0 ? rounds : 1) * point->pages);
}

void model_measure(const struct model *model, const struct point *point, uint64_t seed,
                   struct sample *s)
{
    *s = (struct sample){.point = *point, .loads = WALK};
    s->point.page_bytes = model->page_bytes;
    s->faults = s->switches = s->migrations = s->refs = s->sum = NAN;
    s->ns = strcmp(point->kernel->name, "dummy") == 0 ? 1 : steady_ns(model, &s->point, seed);
    if (!point->kernel->chases)
        s->loads = s->refs = s->sum = lab_references(point);
    s->run_s = s->loads * s->ns / 1e9;
    s->proc_s = s->refs * s->ns / 1e9;
    s->t_s = (double)point->sample;
}
