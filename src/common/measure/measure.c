/* measure.c: a point in, a sample out. arena.c makes the buffers. */
#include "measure/measure.h"
#include "access/chain.h"
#include "access/code.h"
#include "access/kernel.h"
#include "access/layout.h"
#include "access/probe.h"
#include "base/error.h"
#include "machine/outcome.h"
#include "measure/arena.h"
#include "measure/binding.h"
#include "measure/clock.h"
#include "measure/mistake.h"
#include "table/table.h"
#include <math.h>
#include <stdlib.h>

/* The number of accesses of the lab's program, which loops over its pages; the number of laps of a
 * sample of a long chain. [prior] */
enum { LAB_REFERENCES = 1 << 20, LAPS_MIN = 4 };

/* Of a kernel that times its own runs: the minimum loads of a run, whose few ticks of noise then
 * hardly matter; the runs of a sample, of which a neighbour (another program on the core) leaves
 * one alone; the loads of all runs beyond which there are fewer. [prior] */
enum { RUN_MIN = 128, RUNS_MIN = 4, RUNS_MAX = 24, RUNS_LOADS = 1 << 16 };

/* Laps of a run of code: entering and leaving it costs the same at every number of nodes only if
 * the laps are the same, and little of each lap if they are many. [prior] */
enum { CODE_LAPS = 16 };

/* The minimum time of a miss, 5 cycles at 5 GHz, and the part of it that a run of enough laps
 * shows. [physics] */
static const double miss_min_ns = 1, miss_shown = 0.25;

/* Of the other kernels, whose runs are timed here: the minimum loads of a run, in whole laps, and
 * the maximum number of runs. A neighbour takes entries for milliseconds at a time; a run is
 * shorter, so the fastest one is undisturbed. Reading the system's clock takes entries itself and
 * costs a lap of misses where the chain just fits: shorter runs would show a first level of 96
 * entries as 95. A chain with targets is short, and is visited in many sets rather than repeatedly
 * in one: its runs take microseconds. [prior] */
enum { LONG_RUN = 1 << 13, LONG_RUN_TARGETS = 1 << 10, LONG_RUNS_MAX = 8 };

/* The number of laps of a kernel that times probes: each flushes all lines first, which takes
 * longer than the probes. [prior] */
enum { PROBE_LAPS = 8 };

/* Loads that warm the TLBs and caches: one cycle of the chain, WARM_MAX loads at most. Layouts
 * that measure caches (`local`, `pair`) warm up with the whole cycle: linking leaves other lines
 * in the caches than the chain does, of which only LOCAL_MAX loads are timed. [prior] */
enum { WARM_MAX = 1 << 20, LOCAL_MAX = 1 << 18, DRAWN_ROUNDS = 2 };

/* The maximum share of a long run's time that reading the timer, or one of its ticks, may take; the
 * mean time of a reading is subtracted. [prior] */
static const double timer_share = 0.01;

struct rig {
    struct rig_options options;
    struct clock_quality clock;
    struct clock_ticks ticks;
    double ghz; /* 0: not estimated */
    uint64_t start_ns;
    struct arenas arenas;
    uint32_t *next; /* the chain under construction */
    uint64_t next_room;
};

/* ---- setting up ---- */

static const struct mistake no_mistake;

struct rig *rig_open(const struct rig_options *options)
{
    char why[PLATFORM_WHY_ROOM];
    if (!platform_can_measure(why))
        die("cannot measure here: %s", why);
    struct rig *rig = allocate(1, sizeof *rig);
    rig->options = *options;
    if (options->mistake == NULL)
        rig->options.mistake = &no_mistake;
    rig->arenas.options = &rig->options.memory;
    rig->arenas.room = (double)platform_memory().available;
    rig->clock = clock_quality();
    rig->ticks = clock_ticks();
    if (!rig->options.mistake->cold) /* the estimate warms the processor */
        rig->ghz = clock_ghz();
    rig->start_ns = platform_now_ns();
    return rig;
}

void rig_close(struct rig *rig)
{
    arenas_free(&rig->arenas);
    free(rig->next);
    free(rig);
}

void rig_check(const struct rig *rig, const struct point *points, size_t count)
{
    arenas_check(&rig->arenas, points, count);
}

void rig_prepare(struct rig *rig, const struct point *points, size_t count)
{
    arenas_prepare(&rig->arenas, points, count);
}

void rig_put_meta(const struct rig *rig)
{
    char why[PLATFORM_WHY_ROOM] = "", text[OUTCOME_ROOM];
    const struct core *core = &rig->options.core;
    const char *busy = platform_sibling_busy(core->cpu, why);
    table_put_meta("seed", "%llu", (unsigned long long)rig->options.memory.seed);
    if (core->pinned.verdict == PLATFORM_YES)
        table_put_meta("pinned_cpu", "%d", core->cpu);
    else
        table_put_meta("pinned_cpu", "%s", outcome_text(core->pinned, text));
    table_put_meta("core_kind", "%s", platform_core_kind(core->cpu));
    node_put_meta(rig->options.memory.node, core->cpu);
    table_put_meta("sibling_busy", *why ? "%s (%s)" : "%s", busy, why);
    table_put_meta("timer_ns", "%.1f", rig->clock.resolution_ns);
    table_put_meta("timer_overhead_ns", "%.1f", rig->clock.overhead_ns);
    if (rig->ghz > 0)
        table_put_meta("ghz_estimated", "%.2f", rig->ghz);
    if (rig->options.mistake != &no_mistake)
        table_put_meta("mistake", "%s", rig->options.mistake->name);
}

/* ---- measuring ---- */

/* Pointers in a node's line: one, so every counted load fetches a line, except with mistake
 * `dilution`. */
static uint64_t words_of_node(const struct rig *rig)
{
    return rig->options.mistake->dilutes ? rig->options.memory.line_bytes / sizeof(void *) : 1;
}

/* A drawing kernel needs several rounds before it has drawn nearly all nodes. */
static uint64_t warm_loads(const struct rig *rig, const struct point *p)
{
    if (p->kernel->draws)
        return DRAWN_ROUNDS * p->pages;
    uint64_t cycle = layout_nodes(p) * words_of_node(rig);
    return cycle < WARM_MAX || p->layout->page_by_page ? cycle : WARM_MAX;
}

static uint64_t long_run_min(const struct point *p)
{
    return p->layout->targets ? LONG_RUN_TARGETS : LONG_RUN;
}

/* Whether the kernel times its own runs of this point: one chain, walked as a whole. */
static bool times_runs(const struct rig *rig, const struct point *p)
{
    return p->kernel->timer != NULL && p->chains <= 1 && !p->layout->page_by_page &&
           rig->options.mistake->run == NULL;
}

/* Loads of a run: whole laps, as many as the timer's step and its noise need. */
static uint64_t run_loads(const struct rig *rig, const struct point *p)
{
    uint64_t lap = layout_nodes(p) * words_of_node(rig);
    double shown = (double)rig->ticks.step * rig->ticks.ns / (miss_shown * miss_min_ns);
    double laps = fmax(ceil(shown), ceil(RUN_MIN / (double)lap));
    return lap * (p->kernel->executes ? CODE_LAPS : (uint64_t)laps);
}

static uint64_t wanted_loads(const struct rig *rig, const struct point *p)
{
    if (p->kernel->times)
        return PROBE_LAPS * p->pages;
    if (rig->options.loads > 0)
        return rig->options.loads;
    if (!p->kernel->chases)
        return LAB_REFERENCES;
    if (times_runs(rig, p)) {
        uint64_t each = run_loads(rig, p), runs = RUNS_LOADS / each;
        return each * (runs < RUNS_MIN ? RUNS_MIN : runs > RUNS_MAX ? RUNS_MAX : runs);
    }
    uint64_t cycles = LAPS_MIN * p->pages * words_of_node(rig);
    if (p->layout->page_by_page)
        cycles = p->pages < LOCAL_MAX ? p->pages : LOCAL_MAX;
    uint64_t min = LONG_RUNS_MAX * long_run_min(p);
    return cycles > min ? cycles : min;
}

/* Loads of a long run of this sample; all of them where the loop does not chase. */
static uint64_t long_run_loads(const struct rig *rig, const struct point *p, uint64_t loads)
{
    uint64_t lap = layout_nodes(p) * words_of_node(rig);
    if (p->kernel->times)
        return lap;
    uint64_t min = loads / LONG_RUNS_MAX > long_run_min(p) ? loads / LONG_RUNS_MAX
                                                           : long_run_min(p);
    uint64_t run = (min + lap - 1) / lap * lap;
    return p->kernel->chases && run < loads ? run : loads;
}

/* Typical seconds of a load and of linking a node [prior]: a long chain misses to memory, a short
 * one stays in the caches. The caller corrects the estimate by its pace. */
double rig_estimate_s(const struct rig *rig, const struct point *p)
{
    double nodes = (double)layout_nodes(p), loads = (double)wanted_loads(rig, p);
    bool near = !layout_shows_tlb(p->layout);
    double load = nodes >= WARM_MAX ? 150e-9 : near ? 3e-9 : 8e-9;
    double link = nodes >= WARM_MAX && !p->layout->page_by_page ? 80e-9 : 10e-9;
    if (!p->kernel->chases)
        return loads * 1e-9;
    if (p->kernel->times)
        return loads * 50e-9 + (PROBE_LAPS + 1) * (double)layout_bytes(p) * 1e-10;
    return (loads + (double)warm_loads(rig, p)) * load + nodes * link;
}

static void link_chain(const struct rig *rig, const struct point *p, char *memory)
{
    uint64_t line = rig->options.memory.line_bytes, words = words_of_node(rig);
    for (uint64_t i = 0; i < layout_nodes(p); i++) {
        void **node = (void **)(memory + p->layout->offset(p, line, i));
        for (uint64_t word = 1; word < words; word++, node++)
            *node = node + 1;
        *node = memory + p->layout->offset(p, line, rig->next[i]) +
                (p->layout->probes ? probe_tag(p, rig->next[i]) : 0);
    }
}

/* Draws the chain, or the chains, and links their nodes. */
static void build_chain(struct rig *rig, const struct point *p, char *memory,
                        struct kernel_work *work, struct random *random)
{
    uint64_t nodes = layout_nodes(p), chains = p->chains > 1 ? p->chains : 1;
    uint32_t first[KERNEL_CHAINS] = {0};
    if (rig->options.mistake->ascends)
        for (uint64_t i = 0; i < nodes; i++)
            rig->next[i] = (uint32_t)((i + 1) % nodes);
    else
        p->layout->chain(rig->next, p, random);
    if (p->kernel->executes) {
        code_link(memory, p, rig->options.memory.line_bytes, rig->next, work);
        return;
    }
    if (chains > 1)
        chain_cut(rig->next, nodes, chains, first);
    link_chain(rig, p, memory);
    for (uint64_t i = 0; i < chains; i++)
        work->start[i] = (void **)(memory +
                                   p->layout->offset(p, rig->options.memory.line_bytes, first[i]));
}

/* Loads all nodes into the caches, and draws the kernel's first state. */
static void begin_drawing(const struct point *p, struct kernel_work *work, struct random *random)
{
    work->window = layout_window(p);
    for (uint64_t i = 0; i < p->pages; i++)
        (void)*(volatile uint64_t *)(work->memory + i * p->spacing);
    work->start[0] = (void *)(uintptr_t)random_next(random);
}

/* Builds the chain or the state that the kernel walks. The work's loads are then those of the
 * warm-up. */
static struct kernel_work begin_work(struct rig *rig, const struct point *p, char *memory)
{
    uint64_t nodes = layout_nodes(p);
    struct kernel_work work = {.memory = memory,
                               .pages = p->pages,
                               .spacing = p->spacing,
                               .loads = wanted_loads(rig, p),
                               .bytes = layout_bytes(p)};
    struct random random = chain_random(p, rig->options.memory.seed);
    if (!p->kernel->chases) {
        work.loads = 1;
        return work;
    }
    if (nodes > rig->next_room) {
        rig->next = reallocate(rig->next, nodes, sizeof *rig->next);
        rig->next_room = nodes;
    }
    if (p->kernel->draws)
        begin_drawing(p, &work, &random);
    else
        build_chain(rig, p, memory, &work, &random);
    work.loads = warm_loads(rig, p);
    return work;
}

static double counted(uint64_t before, uint64_t after, bool known)
{
    return known ? (double)(after - before) : NAN;
}

/* Runs the loop; the next run continues where it ends, since the start of a long chain may still be
 * cached. Returns the number of accesses; ends[0] is the loop's result. */
static uint64_t run_on(kernel_loop *loop, struct kernel_work *work, const struct point *p,
                       uint64_t ends[KERNEL_CHAINS])
{
    uint64_t loads = loop(work, ends);
    for (uint64_t i = 0; p->kernel->chases && (i == 0 || i < p->chains); i++)
        work->start[i] = (void **)(uintptr_t)ends[i];
    return loads;
}

/* Makes one run; returns its nanoseconds net of reading the timer, and the number of loads that
 * were timed, which are all loads unless the loop times some itself. A loop that the compiler
 * dropped takes no time at all; below 0 the clock was set back. */
static double time_long_run(const struct rig *rig, kernel_loop *loop, struct kernel_work *work,
                            const struct point *p, uint64_t *end, uint64_t *timed)
{
    uint64_t ends[KERNEL_CHAINS] = {0}, start = platform_now_ns();
    *timed = run_on(loop, work, p, ends);
    double ns = ns_since(start);
    *end = ends[0];
    if (p->kernel->times) {
        *timed = ends[2];
        return (double)ends[1];
    }
    if (ns < 0)
        return ns;
    return fmax(1, ns - rig->clock.overhead_ns);
}

/* Times run after run until the given number of loads is done; the last one may be shorter. Returns
 * the nanoseconds of all, net of reading the timer. */
static double time_long_runs(const struct rig *rig, kernel_loop *loop, struct kernel_work *work,
                             uint64_t loads, struct sample *s, uint64_t *end)
{
    uint64_t each = long_run_loads(rig, &s->point, loads), done = 0, timed;
    double total = 0;
    s->loads = 0;
    s->runs = 0;
    s->min_ns = INFINITY;
    do {
        work->loads = loads - done < 2 * each ? loads - done : each;
        double ns = time_long_run(rig, loop, work, &s->point, end, &timed);
        if (ns < 0) {
            clock_warn_set_back(ns);
            continue;
        }
        s->min_ns = fmin(s->min_ns, ns / (double)timed);
        s->runs++;
        s->loads += (double)timed;
        total += ns;
        done += s->point.kernel->times ? each : timed;
    } while (s->runs == 0 || (s->point.kernel->chases && done < loads));
    return total;
}

/* The same by the kernel's own timer: so many loads in all, in runs of a few laps. */
static double time_runs(const struct rig *rig, struct kernel_work *work, uint64_t loads,
                        struct sample *s)
{
    uint64_t each = run_loads(rig, &s->point), runs = (loads + each - 1) / each;
    const struct clock_ticks *ticks = &rig->ticks;
    struct kernel_runs time = s->point.kernel->timer(work, each, runs);
    work->start[0] = time.end;
    double all = (double)time.all - (double)(runs * ticks->overhead);
    s->runs = (double)runs;
    s->loads = (double)(runs * each);
    s->min_ns = fmax(0, (double)time.fastest - (double)ticks->overhead) * ticks->ns / (double)each;
    return fmax(1, all * ticks->ns);
}

/* Times the runs of the sample once; returns their nanoseconds. */
static double time_once(const struct rig *rig, kernel_loop *loop, struct kernel_work *work,
                        uint64_t loads, struct sample *s)
{
    struct platform_counts before = {0}, after = {0};
    uint64_t end = 0;
    bool known = platform_counts(&before);
    double process = platform_process_seconds();
    double ns = times_runs(rig, &s->point) ? time_runs(rig, work, loads, s)
                                           : time_long_runs(rig, loop, work, loads, s, &end);
    process = platform_process_seconds() - process;
    known = platform_counts(&after) && known;
    if (known)
        core_warn_moved(&rig->options.core, &after);
    s->ns = ns / s->loads;
    s->faults = counted(before.faults, after.faults, known);
    s->switches = counted(before.switches, after.switches, known);
    s->migrations = counted(before.migrations, after.migrations, known);
    s->refs = s->proc_s = s->sum = NAN;
    if (!s->point.kernel->chases) {
        s->refs = s->loads;
        s->proc_s = process;
        s->sum = (double)end;
    }
    return ns;
}

static kernel_loop *loop_of(const struct rig *rig, const struct point *p)
{
    const struct mistake *mistake = rig->options.mistake;
    return mistake->run != NULL ? mistake->run : kernel_loop_of(p->kernel, p->chains);
}

void rig_measure(struct rig *rig, const struct point *point, struct sample *sample)
{
    struct point here = arenas_place(&rig->arenas, point);
    struct arena *arena = arenas_find(&rig->arenas, &here);
    kernel_loop *loop = loop_of(rig, point);
    uint64_t begin = platform_now_ns(), ends[KERNEL_CHAINS] = {0};
    arenas_leave(&rig->arenas, arena, &here);
    arena_move(&rig->arenas, arena, &here);
    struct kernel_work work = begin_work(rig, &here, arena->memory);
    if (!rig->options.mistake->cold)
        run_on(loop, &work, point, ends);
    sample->point = *point;
    uint64_t loads = wanted_loads(rig, point);
    double min_ns = fmax(rig->clock.overhead_ns, rig->clock.resolution_ns) / timer_share;
    while (time_once(rig, loop, &work, loads, sample) < min_ns * sample->runs &&
           !times_runs(rig, point) &&
           !point->kernel->times && /* its readings of the clock cost the same everywhere */
           loads < UINT64_MAX / 2)
        loads *= 2;
    sample->run_s = ns_since(begin) / 1e9;
    sample->t_s = (double)(int64_t)(begin - rig->start_ns) / 1e9;
    sample->backed = arena->backed;
    sample->locked = arena->locked;
    sample->node = arena->node;
}
