/* card_chase.c: chases on a card. */
#include "memory/card/card_chase.h"
#include "access/chain.h"
#include "access/earlier.h"
#include "access/kernel.h"
#include "access/layout.h"
#include "base/args.h"
#include "base/error.h"
#include "base/stats.h"
#include "platform.h"
#include <math.h>
#include <stdlib.h>

/* A kernel runs for at least a millisecond: some clocks tick in microseconds, and a launch takes
 * several. [prior] */
static const double least_ns = 1e6;

/* A kernel lasts at least this many clock ticks. [prior] */
enum { TICKS_MIN = 1000 };

/* Pairs of kernels in a sample; hops of the first kernel, from which the length is derived; hops of
 * the kernel whose end is checked against the chain. [prior] */
enum { LAPS = 5, FIRST_HOPS = 1 << 10, GROWTH = 16 };

/* At most this many loads warm the caches, in one whole cycle of the chain. [bound] */
enum { WARM_MAX = 1 << 20 };

/* A kernel is made longer than necessary by this factor. [prior] */
static const double spare = 1.2;

/* The clock is still rising if a kernel takes less than this fraction of the minimum so far.
 * [prior] */
static const double still_gains = 0.995;

/* Numbers of four bytes. [bound] */
enum { WORD = 4 };

struct card_rig {
    struct card_options options;
    struct card *card;
    uint64_t start_ns;
    uint64_t limit;                  /* bytes a chain may span; determined before the header */
    double arithmetic_ns;            /* per hop of one chain; NaN until measured */
    double hop_ns;                   /* of the previous sample, for estimates */
    uint32_t *next, *offset, *pairs; /* the chain under construction */
    uint64_t capacity;
    uint64_t sample; /* number of the previous sample */
    size_t lacked;   /* samples that found no memory */
};

static uint64_t line_bytes(const struct card_claims *claims)
{
    return claims->line_bytes > 0 ? claims->line_bytes : CARD_LINE_BYTES;
}

/* On a card, a sample of layout `page` has no offsets into a larger buffer. */
static struct point point_here(const struct point *point)
{
    struct point here = *point;
    here.backing = &backings[BACKING_DEVICE];
    here.one_place = true;
    return here;
}

static bool is_far(const struct point *point)
{
    return layout_bytes(point) > CARD_NEAR_REACH;
}

static const char *refuses(void *self, const struct point *point)
{
    const struct card_rig *rig = self;
    const struct kernel *k = point->kernel;
    struct point here = point_here(point);
    if (k != &kernels[KERNEL_READ] && !k->card)
        return "the kernels of a card are read, read_volatile, read_local, read_constant and "
               "banks";
    if (k->lanes && point->pages > rig->options.claims.group_items)
        return "more nodes than a work group of this device has work items";
    if (k->lanes && point->pages > CARD_STATES)
        return "at most 4096 nodes for kernel banks";
    if (is_far(&here) && (point->spacing | line_bytes(&rig->options.claims)) % CARD_FAR_UNIT != 0)
        return "beyond 16 GiB the nodes of a card are a multiple of 64 bytes apart";
    return point_refuses(point);
}

/* ---- memory ---- */

/* The memory that the point's kernel chases in. */
static uint64_t memory_of(const struct card_rig *rig, const struct point *p)
{
    const struct card_claims *c = &rig->options.claims;
    if (p->kernel == &kernels[KERNEL_CONSTANT])
        return c->constant_bytes;
    return p->kernel->small ? c->local_bytes : rig->limit;
}

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Limits how large a chain of these points may be. Some drivers make larger buffers than they claim
 * (NVIDIA's claims a quarter of the memory), so the claim is no limit until a buffer is refused:
 * then three quarters are tried, or the claim, and so on. */
static void find_limit(struct card_rig *rig, const struct point *points, size_t count)
{
    const struct card_claims *c = &rig->options.claims;
    uint64_t bytes = 0, most = least(card_memory(c), CARD_REACH), claim = c->allocation_bytes;
    for (size_t i = 0; i < count; i++) {
        struct point here = point_here(&points[i]);
        uint64_t needed = layout_bytes(&here);
        bytes = needed > bytes ? needed : bytes;
    }
    bytes = least(bytes, most);
    rig->limit = bytes > claim ? bytes : least(claim, most);
    while (bytes >= WORD && !card_reserve(rig->card, CARD_A, bytes))
        rig->limit = bytes = bytes > claim && bytes / 4 * 3 < claim ? claim : bytes / 4 * 3;
}

/* ---- before the first sample ---- */

void card_put_meta(const struct card_claims *claims, size_t index)
{
    char host[256];
    platform_host(host, sizeof host);
    table_put_meta("cpu", "%s", claims->name);
    table_put_meta("device", "%zu", index);
    table_put_meta("device_type", "%s", claims->type);
    table_put_meta("platform", "%s", claims->platform);
    table_put_meta("driver", "%s", claims->driver);
    table_put_meta("line_bytes", "%llu", (unsigned long long)line_bytes(claims));
    table_put_meta("timer_ns", "%llu", (unsigned long long)claims->timer_ns);
    table_put_meta("host", "%s", host);
}

static void put_meta(void *self, const struct table *source, const struct point *points,
                     size_t count)
{
    struct card_rig *rig = self;
    find_limit(rig, points, count);
    table_begin(source);
    earlier_put_options();
    card_put_meta(&rig->options.claims, rig->options.index);
    table_put_meta("memory_limit_bytes", "%llu", (unsigned long long)rig->limit);
    table_put_meta("backing", "device");
    table_put_meta("seed", "%llu", (unsigned long long)rig->options.seed);
    if (count > 0 && points[0].buffer > 0) {
        table_put_meta("buffer_bytes", "%llu", (unsigned long long)points[0].buffer);
        table_put_meta("chain", "%s", chain_names[points[0].chain]);
    }
}

/* Stops after 50 ms of device time without a gain of half a per cent, or after a second: the clocks
 * of cards rise in larger steps, some every ten milliseconds. If the device's timer does not
 * advance, the number of kernels ends it. [prior] */
void card_warm_up(struct card *card)
{
    enum { KERNELS_MAX = 5000 };
    struct card_work work = {.kernel = CARD_ARITHMETIC, .hops = 1 << 18};
    double best = INFINITY, idle = 0, all = 0;
    for (int kernel = 0; idle < 5e7 && all < 1e9 && kernel < KERNELS_MAX; kernel++) {
        double ns = card_run(card, &work);
        idle = ns < best * still_gains ? 0 : idle + ns;
        all += ns;
        best = fmin(best, ns);
    }
}

/* ---- chains ---- */

static void make_room(struct card_rig *rig, uint64_t nodes)
{
    if (nodes <= rig->capacity)
        return;
    rig->next = reallocate(rig->next, nodes, sizeof *rig->next);
    rig->offset = reallocate(rig->offset, nodes, sizeof *rig->offset);
    rig->pairs = reallocate(rig->pairs, nodes, 2 * sizeof *rig->pairs);
    rig->capacity = nodes;
}

/* Draws the chains, links their nodes in the device's memory, and sets their starting positions.
 * False if the device has too little memory. */
static bool build_chain(struct card_rig *rig, const struct point *p, uint32_t *start)
{
    uint64_t nodes = layout_nodes(p), chains = p->chains > 1 ? p->chains : 1;
    uint64_t unit = is_far(p) ? CARD_FAR_UNIT : WORD;
    struct random random = chain_random(p, rig->options.seed);
    uint32_t first[KERNEL_CHAINS] = {0};
    if (!card_reserve(rig->card, CARD_A, layout_bytes(p)) ||
        !card_reserve(rig->card, CARD_B, nodes * 2 * WORD))
        return false;
    make_room(rig, nodes);
    for (uint64_t i = 0; i < nodes; i++) {
        rig->next[i] = (uint32_t)i;
        rig->offset[i] = (uint32_t)(p->layout->offset(p, line_bytes(&rig->options.claims), i) /
                                    unit);
    }
    if (!p->kernel->lanes)
        p->layout->chain(rig->next, p, &random);
    if (chains > 1)
        chain_cut(rig->next, nodes, chains, first);
    for (uint64_t i = 0; i < nodes; i++) {
        rig->pairs[2 * i] = rig->offset[i];
        rig->pairs[2 * i + 1] = rig->offset[rig->next[i]];
    }
    for (uint64_t i = 0; i < (p->kernel->lanes ? nodes : chains); i++)
        start[i] = p->kernel->lanes ? rig->offset[i] : rig->offset[first[i]];
    card_put(rig->card, CARD_B, rig->pairs, nodes * 2 * WORD);
    card_put(rig->card, CARD_STATE, start, CARD_STATES * WORD);
    card_run(rig->card, &(struct card_work){
                            .kernel = CARD_LINK, .far = is_far(p), .count = nodes, .items = nodes});
    return true;
}

/* The kernel run that chases the point, with no hops yet. */
static struct card_work work_of(const struct point *p)
{
    struct card_work work = {.kernel = CARD_CHASE, .far = is_far(p), .chains = (unsigned)p->chains};
    if (p->kernel == &kernels[KERNEL_CONSTANT])
        work.kernel = CARD_CONSTANT;
    else if (p->kernel->bypasses)
        work.kernel = CARD_VOLATILE;
    else if (p->kernel->small) {
        work.kernel = CARD_LOCAL;
        work.count = (layout_bytes(p) + WORD - 1) / WORD;
        work.items = p->kernel->lanes ? p->pages : 1;
    }
    return work;
}

/* Makes the first hops and checks where they end against the host's chain: that exposes broken
 * memory, or a compiler that drops the loop. */
static void check_chase(struct card_rig *rig, const struct point *p, struct card_work *work)
{
    uint32_t *state = allocate(CARD_STATES, sizeof *state);
    uint64_t node = 0;
    work->hops = FIRST_HOPS;
    card_run(rig->card, work);
    card_get(rig->card, CARD_STATE, state, CARD_STATES * WORD);
    for (uint64_t i = 0; i < work->hops; i++)
        node = rig->next[node];
    if (state[0] != rig->offset[node])
        die("the device's chase of %llu nodes ends at position %lu, where the chain has %lu: its "
            "compiler or its memory is at fault",
            (unsigned long long)p->pages, (unsigned long)state[0],
            (unsigned long)rig->offset[node]);
    free(state);
}

/* ---- time ---- */

static double least_of(const struct card_rig *rig)
{
    return fmax(least_ns, (double)TICKS_MIN * (double)rig->options.claims.timer_ns);
}

/* Sets the kernel's hops so that it takes long enough. */
static void find_length(struct card_rig *rig, struct card_work *work, uint64_t loads)
{
    uint64_t chains = work->chains > 1 ? work->chains : 1;
    double least = least_of(rig), ns;
    uint64_t round = chains * CARD_UNROLLED;
    work->hops = loads > 0 ? (loads + round - 1) / round * CARD_UNROLLED : FIRST_HOPS;
    for (ns = card_run(rig->card, work); loads == 0 && ns < least; ns = card_run(rig->card, work)) {
        double longer = ns > 0 ? spare * least / ns : GROWTH;
        if (2 * ns * fmin(longer, GROWTH) > CARD_KERNEL_MOST_NS || work->hops > UINT32_MAX / GROWTH)
            return;
        work->hops = (uint64_t)((double)work->hops * fmin(longer, GROWTH) / CARD_UNROLLED + 1) *
                     CARD_UNROLLED;
    }
}

/* Runs the whole cycle in kernels of about the length found: a single one could exceed what a
 * watchdog allows. */
static void warm_cycle(struct card_rig *rig, const struct card_work *work, uint64_t loads)
{
    uint64_t most = loads < WARM_MAX ? loads : WARM_MAX;
    uint64_t chains = work->chains > 1 ? work->chains : 1;
    for (uint64_t done = 0; done < most; done += work->hops * chains)
        card_run(rig->card, work);
}

/* The time per hop, from the medians of LAPS kernels of each length; *fastest from the minima. If
 * other work disturbed all the shorter kernels, the difference is too small; so it is never less
 * than the longer kernel minus a launch (a kernel without hops). */
static double hop_time(struct card_rig *rig, const struct card_work *work, double *fastest)
{
    struct card_work none = *work, twice = *work;
    double hops = (double)work->hops, one[LAPS], two[LAPS], launch = INFINITY;
    none.hops = 0;
    twice.hops = 2 * work->hops;
    for (int lap = 0; lap < LAPS; lap++) {
        launch = fmin(launch, card_run(rig->card, &none));
        one[lap] = card_run(rig->card, work);
        two[lap] = card_run(rig->card, &twice);
    }
    double typical = (stats_median(two, LAPS) - stats_median(one, LAPS)) / hops;
    double least = stats_quantile(two, LAPS, 0);
    *fastest = fmax((least - stats_quantile(one, LAPS, 0)) / hops, (least - launch) / (2 * hops));
    return fmax(typical, *fastest);
}

static void prepare(void *self, const struct point *points, size_t count)
{
    struct card_rig *rig = self;
    struct card_work work = {.kernel = CARD_ARITHMETIC};
    (void)points, (void)count;
    card_warm_up(rig->card);
    find_length(rig, &work, 0);
    hop_time(rig, &work, &rig->arithmetic_ns);
    rig->arithmetic_ns = fmax(0, rig->arithmetic_ns);
}

static double estimate_s(void *self, const struct point *p)
{
    const struct card_rig *rig = self;
    double nodes = (double)layout_nodes(p), warm = fmin(nodes, WARM_MAX);
    double timed = 3 * (LAPS + 1) * fmax(least_of(rig), 2e6);
    return (warm * rig->hop_ns + timed + nodes * 20) / 1e9;
}

/* Chases the chains and fills in the sample. */
static void chase(struct card_rig *rig, const struct point *p, struct sample *s)
{
    struct card_work work = work_of(p);
    double chains = p->chains > 1 ? (double)p->chains : 1, arithmetic = rig->arithmetic_ns;
    double fastest;
    check_chase(rig, p, &work);
    find_length(rig, &work, rig->options.loads);
    if (!p->kernel->lanes)
        warm_cycle(rig, &work, layout_nodes(p));
    double ns = hop_time(rig, &work, &fastest);
    rig->hop_ns = ns;
    s->ns = fmax(0, ns - arithmetic) / chains;
    s->min_ns = fmax(0, fastest - arithmetic) / chains;
    s->arithmetic_ns = arithmetic / chains;
    s->runs = LAPS;
    s->loads = 3 * LAPS * (double)work.hops * chains;
}

static void measure(void *self, const struct point *point, struct sample *s)
{
    struct card_rig *rig = self;
    struct point here = point_here(point);
    uint32_t *start = allocate(CARD_STATES, sizeof *start);
    uint64_t begin = platform_now_ns();
    if (point->sample != rig->sample) /* new page frames for each pass */
        card_renew(rig->card, CARD_A);
    rig->sample = point->sample;
    s->point = *point;
    s->backed = "hint (drivers do not say)";
    s->point.backing = here.backing;
    if (layout_bytes(&here) <= memory_of(rig, &here) && build_chain(rig, &here, start))
        chase(rig, &here, s);
    else
        rig->lacked++;
    free(start);
    s->run_s = (double)(platform_now_ns() - begin) / 1e9;
    s->t_s = (double)(begin - rig->start_ns) / 1e9;
}

static bool close_card(void *self)
{
    struct card_rig *rig = self;
    size_t lacked = rig->lacked;
    card_close(rig->card);
    free(rig->next);
    free(rig->offset);
    free(rig->pairs);
    free(rig);
    if (lacked > 0 && !args_quiet)
        warn("%zu samples need more memory than this device has (no ns in their rows)", lacked);
    return lacked == 0;
}

struct machine card_machine(const struct card_options *options)
{
    struct card_rig *rig = allocate(1, sizeof *rig);
    *rig = (struct card_rig){.options = *options,
                             .card = card_open(options->index),
                             .start_ns = platform_now_ns(),
                             .arithmetic_ns = NAN,
                             .hop_ns = 200};
    return (struct machine){.self = rig,
                            .columns = SAMPLE_BACKED | SAMPLE_CARD,
                            .refuses = refuses,
                            .put_meta = put_meta,
                            .prepare = prepare,
                            .estimate_s = estimate_s,
                            .measure = measure,
                            .close = close_card};
}
