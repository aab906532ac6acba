/* measure.c: a point in, a sample out.
 *
 * Each kind of point (layout, spacing) has a buffer of its own, as large as the largest such point
 * wants: random page order decides the physical frames, so it must be touched as a whole. */
#include "measure.h"
#include "chain.h"
#include "clock.h"
#include "error.h"
#include "kernel.h"
#include "layout.h"
#include "table.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ARENAS = 8, LOADS_LEAST = 1 << 16, LAB_REFERENCES = 1 << 20, CYCLES = 4 };

/* Loads that warm the TLBs and caches: one cycle, or this many of a chain that is longer. */
enum { WARM_MOST = 1 << 20 };

/* The timer may take this part of a sample. */
static const double timer_share = 0.001;

/* Aligning a buffer to its size (up to this) gives every run the same low page-number bits, and so
 * evenly filled TLB sets. */
static const uint64_t align_most = (uint64_t)1 << 30;

struct arena {
    struct point largest; /* of the points that share it; layout is NULL while it is free */
    char *memory;
    uint64_t bytes;
    struct platform_result locked, scattered;
};

struct rig {
    struct rig_options options;
    struct clock_quality clock;
    uint64_t start_ns;
    struct arena arenas[ARENAS];
    int oldest;
    uint32_t *next; /* the chain under construction */
    uint64_t next_room;
};

/* ---- setting up ---- */

struct core core_pin(void)
{
    struct core core;
    core.pinned = platform_pin(&core.cpu);
    return core;
}

struct rig *rig_open(const struct rig_options *options)
{
    char why[PLATFORM_WHY_ROOM];
    if (!platform_can_measure(why))
        die("cannot measure here: %s", why);
    struct rig *rig = allocate(1, sizeof *rig);
    rig->options = *options;
    rig->clock = clock_quality();
    rig->start_ns = platform_now_ns();
    return rig;
}

static void free_arena(struct arena *arena)
{
    if (arena->memory != NULL)
        platform_unmap(arena->memory, arena->bytes);
    *arena = (struct arena){0};
}

void rig_close(struct rig *rig)
{
    for (int i = 0; i < ARENAS; i++)
        free_arena(&rig->arenas[i]);
    free(rig->next);
    free(rig);
}

/* ---- buffers ---- */

static bool shares_arena(const struct point *a, const struct point *b)
{
    return a->layout == b->layout && a->spacing == b->spacing && a->backing == b->backing &&
           a->buffer == b->buffer && a->kernel->chases == b->kernel->chases;
}

/* Number of pages that the nodes of a point lie on, and the distance between such pages. */
static uint64_t touched_pages(const struct point *p, uint64_t bytes, uint64_t *distance)
{
    if (p->spacing >= p->page_bytes) {
        *distance = p->spacing;
        return layout_nodes(p);
    }
    *distance = p->page_bytes;
    return (bytes + p->page_bytes - 1) / p->page_bytes;
}

/* First touch in random page order, so that neighbouring pages get frames that are not neighbours
 * (no entry of the TLB can hold two of them). Every byte that a kernel reads is 1, as in the lab.
 */
static void touch(struct rig *rig, const struct point *p, char *memory, uint64_t bytes)
{
    uint64_t distance, count = touched_pages(p, bytes, &distance);
    struct random random;
    random_seed(&random, rig->options.seed, random_mix(p->spacing, count));
    uint32_t *order = allocate(count, sizeof *order);
    chain_cycle(order, count, &random);
    uint32_t page = 0;
    for (uint64_t i = 0; i < count; i++, page = order[page])
        memory[page * distance] = 1;
    free(order);
    if (!p->kernel->chases)
        for (uint64_t i = 0; i < p->pages; i++)
            memory[i * p->spacing] = 1;
}

/* Dies or warns when the point wants more memory than this process should take. */
static void check_memory(const struct rig *rig, const struct point *p, uint64_t bytes)
{
    uint64_t distance, pages = touched_pages(p, bytes, &distance);
    double wanted = (double)pages * (double)p->page_bytes;
    struct platform_memory memory = platform_memory();
    char what[128];
    snprintf(what, sizeof what, "%llu nodes of layout %s need %.0f MiB, and %.0f MiB are available",
             (unsigned long long)layout_nodes(p), p->layout->name, wanted / 0x1p20,
             (double)memory.available / 0x1p20);
    if (wanted > (double)memory.available || layout_nodes(p) > UINT32_MAX || pages > UINT32_MAX)
        die("%s (%s)", what, memory.source);
    if (wanted <= 0.5 * (double)memory.available)
        return;
    if (!rig->options.by_name)
        die("%s (%s): defaults take less than half; ask for the size by name", what, memory.source);
    warn("%s (%s): other programs may be pushed out of memory", what, memory.source);
}

static void fill_arena(struct rig *rig, struct arena *arena, const struct point *p)
{
    struct platform_result no_huge;
    uint64_t bytes = layout_bytes(p), align = p->page_bytes;
    if (bytes == 0 || bytes > SIZE_MAX / 4)
        die("%llu pages %llu bytes apart do not fit into the address space",
            (unsigned long long)p->pages, (unsigned long long)p->spacing);
    check_memory(rig, p, bytes);
    while (align < bytes && align < align_most)
        align *= 2;
    free_arena(arena);
    arena->bytes = bytes;
    arena->memory = platform_map(bytes, align, &no_huge);
    if (arena->memory == NULL)
        die("the system gives no %.0f MiB of address space: %s", (double)bytes / 0x1p20,
            no_huge.why);
    arena->largest = *p;
    if (rig->options.lock) /* of no effect on such memory, but the whitepaper does it */
        platform_will_need(arena->memory, bytes);
    touch(rig, p, arena->memory, bytes);
    if (rig->options.lock) /* only now: locking first would touch the pages in order */
        arena->locked = platform_lock(arena->memory, bytes);
    arena->scattered = platform_scattered(arena->memory, bytes / p->page_bytes);
}

/* The arena of a point, made or made larger where that is needed. */
static struct arena *find_arena(struct rig *rig, const struct point *p)
{
    struct arena *arena = NULL;
    for (int i = 0; i < ARENAS; i++)
        if (rig->arenas[i].memory != NULL && shares_arena(&rig->arenas[i].largest, p))
            arena = &rig->arenas[i];
    if (arena == NULL) {
        for (int i = 0; i < ARENAS && arena == NULL; i++)
            if (rig->arenas[i].memory == NULL)
                arena = &rig->arenas[i];
        if (arena == NULL)
            arena = &rig->arenas[rig->oldest++ % ARENAS];
        fill_arena(rig, arena, p);
    } else if (p->pages > arena->largest.pages && p->buffer == 0)
        fill_arena(rig, arena, p);
    return arena;
}

/* The largest point of each kind, in one pass; kinds beyond the number of buffers take turns later.
 */
void rig_prepare(struct rig *rig, const struct point *points, size_t count)
{
    struct point largest[ARENAS];
    size_t kinds = 0;
    for (size_t i = 0; i < count; i++) {
        size_t k = 0;
        while (k < kinds && !shares_arena(&largest[k], &points[i]))
            k++;
        if (k == kinds && kinds < ARENAS)
            largest[kinds++] = points[i];
        else if (k < kinds && points[i].pages > largest[k].pages)
            largest[k] = points[i];
    }
    for (size_t k = 0; k < kinds; k++)
        find_arena(rig, &largest[k]);
}

static const char *answer_word(enum platform_answer answer)
{
    return answer == PLATFORM_YES ? "yes" : answer == PLATFORM_HINT ? "hint" : "no";
}

static void put_answer(const char *key, const char *what, struct platform_result result)
{
    table_put_meta(key, *result.why ? "%s%s (%s)" : "%s%s", what, answer_word(result.answer),
                   result.why);
}

void rig_put_meta(const struct rig *rig)
{
    char why[PLATFORM_WHY_ROOM] = "";
    const struct arena *first = &rig->arenas[0];
    const struct core *core = &rig->options.core;
    const char *busy = platform_sibling_busy(core->cpu, why);
    table_put_meta("seed", "%llu", (unsigned long long)rig->options.seed);
    if (core->pinned.answer == PLATFORM_YES)
        table_put_meta("pinned_cpu", "%d", core->cpu);
    else
        put_answer("pinned_cpu", "", core->pinned);
    table_put_meta("core_kind", "%s", platform_core_kind(core->cpu));
    table_put_meta("sibling_busy", *why ? "%s (%s)" : "%s", busy, why);
    if (first->memory != NULL && rig->options.lock)
        put_answer("locked", "", first->locked);
    if (first->memory != NULL)
        put_answer("backing", "scattered: ", first->scattered);
    table_put_meta("timer_ns", "%.1f", rig->clock.resolution_ns);
    table_put_meta("timer_overhead_ns", "%.1f", rig->clock.overhead_ns);
}

/* ---- measuring ---- */

static void link_chain(struct rig *rig, const struct point *p, char *memory, uint64_t nodes)
{
    struct random random;
    uint64_t line = rig->options.line_bytes;
    if (nodes > rig->next_room) {
        rig->next = reallocate(rig->next, nodes, sizeof *rig->next);
        rig->next_room = nodes;
    }
    uint64_t where = random_mix(random_mix(p->pages, p->spacing), (uint64_t)(p->layout - layouts));
    random_seed(&random, rig->options.seed, random_mix(where, p->sample));
    chain_build(rig->next, p, &random);
    for (uint64_t i = 0; i < nodes; i++)
        *(void **)(memory + p->layout->offset(p, line, i)) = memory + p->layout->offset(
                                                                          p, line, rig->next[i]);
}

static uint64_t wanted_loads(const struct rig *rig, const struct point *p)
{
    if (rig->options.loads > 0)
        return rig->options.loads;
    if (!p->kernel->chases)
        return LAB_REFERENCES;
    uint64_t cycles = CYCLES * p->pages;
    return cycles > LOADS_LEAST ? cycles : LOADS_LEAST;
}

/* Seconds for a load, and for linking a node, as they are on many machines: a long chain goes to
 * memory each time, a short one stays in the caches. The caller learns how far it is off here. */
double rig_estimate_s(const struct rig *rig, const struct point *p)
{
    double nodes = (double)layout_nodes(p), loads = (double)wanted_loads(rig, p);
    double load = nodes > WARM_MOST ? 150e-9 : p->layout == layout_find("packed", 6) ? 3e-9 : 8e-9;
    double link = nodes > WARM_MOST ? 80e-9 : 10e-9;
    if (!p->kernel->chases)
        return loads * 1e-9;
    return (loads + fmin(nodes, WARM_MOST)) * load + nodes * link;
}

static double counted(uint64_t before, uint64_t after, bool known)
{
    return known ? (double)(after - before) : NAN;
}

/* Times one run of the kernel into the sample; returns the nanoseconds. */
static double time_once(struct kernel_work *work, struct sample *s)
{
    struct platform_counts before = {0}, after = {0};
    const struct kernel *kernel = s->point.kernel;
    uint64_t end;
    bool known = platform_counts(&before);
    double process = platform_process_seconds();
    uint64_t start = platform_now_ns();
    uint64_t loads = kernel->run(work, &end);
    double ns = (double)(platform_now_ns() - start);
    process = platform_process_seconds() - process;
    known = platform_counts(&after) && known;
    s->loads = (double)loads;
    s->ns = ns / s->loads;
    s->faults = counted(before.faults, after.faults, known);
    s->switches = counted(before.switches, after.switches, known);
    s->migrations = counted(before.migrations, after.migrations, known);
    s->refs = s->proc_s = s->sum = NAN;
    if (!kernel->chases) {
        s->refs = s->loads;
        s->proc_s = process;
        s->sum = (double)end;
    }
    return ns;
}

void rig_measure(struct rig *rig, const struct point *point, struct sample *sample)
{
    struct arena *arena = find_arena(rig, point);
    uint64_t begin = platform_now_ns(), nodes = layout_nodes(point), end;
    struct kernel_work work = {.start = (void **)arena->memory,
                               .memory = arena->memory,
                               .pages = point->pages,
                               .spacing = point->spacing};
    if (point->kernel->chases) {
        link_chain(rig, point, arena->memory, nodes);
        work.start = (void **)(arena->memory +
                               point->layout->offset(point, rig->options.line_bytes, 0));
    }
    work.loads = point->kernel->chases ? (nodes < WARM_MOST ? nodes : WARM_MOST) : 1;
    point->kernel->run(&work, &end);
    if (point->kernel->chases) /* go on from there, so that a long chain's start is not still hot */
        work.start = (void **)(uintptr_t)end;
    sample->point = *point;
    work.loads = wanted_loads(rig, point);
    while (time_once(&work, sample) * timer_share < rig->clock.overhead_ns &&
           work.loads < UINT64_MAX / 2)
        work.loads *= 2;
    uint64_t now = platform_now_ns();
    sample->run_s = (double)(now - begin) / 1e9;
    sample->t_s = (double)(begin - rig->start_ns) / 1e9;
}
