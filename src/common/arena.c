/* arena.c: the buffers of a run, and on what pages they lie.
 *
 * The order of first touch decides the physical frames, so that a buffer is touched as a whole
 * before its first use, and made anew when a larger point comes. */
#include "arena.h"
#include "answer.h"
#include "chain.h"
#include "code.h"
#include "error.h"
#include "kernel.h"
#include "layout.h"
#include "random.h"
#include "table.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Aligning a buffer to its size (up to this) gives every run the same low page-number bits, and so
 * evenly filled TLB sets. */
static const uint64_t align_most = (uint64_t)1 << 30;

/* Contiguous memory is taken in whole huge pages, unless those are very large ones. */
static const uint64_t block_most = (uint64_t)32 << 20;

/* ---- what a point needs ---- */

static bool is_set(const struct point *p)
{
    return p->layout == &layouts[LAYOUT_SET];
}

static bool is_huge(const struct point *p)
{
    return p->backing == &backings[BACKING_HUGE];
}

static bool is_contiguous(const struct point *p)
{
    return p->backing == &backings[BACKING_CONTIGUOUS];
}

/* Dies where that cannot be addressed. */
static uint64_t arena_bytes(const struct point *p)
{
    uint64_t bytes = layout_bytes(p), block = is_huge(p) ? p->page_bytes : 1;
    if (bytes == 0 || bytes > SIZE_MAX / 4)
        die("%llu nodes %llu bytes apart do not fit into the address space",
            (unsigned long long)layout_nodes(p), (unsigned long long)p->spacing);
    if (is_contiguous(p) && platform_huge_bytes() > 0 && platform_huge_bytes() <= block_most)
        block = platform_huge_bytes();
    return (bytes + block - 1) / block * block;
}

/* Pages of one buffer that are touched at first: `count` of them, `distance` bytes apart. */
struct pages {
    uint64_t count, distance;
};

/* Where nodes lie on pages far apart, those alone; else, and where all frames are to be neighbours
 * or locked, the whole buffer; in `set` the window of the others. */
static struct pages pages_of(const struct point *p, uint64_t bytes, bool lock)
{
    if (!lock && is_set(p))
        return (struct pages){layout_others_pages(p), p->page_bytes};
    if (!lock && !is_contiguous(p) && p->spacing >= p->page_bytes)
        return (struct pages){bytes / p->spacing, p->spacing};
    return (struct pages){(bytes + p->page_bytes - 1) / p->page_bytes, p->page_bytes};
}

/* And in `set` the targets beside them, where the first sample has them. */
static struct pages targets_of(const struct point *p)
{
    return (struct pages){is_set(p) ? p->targets : 0, p->spacing};
}

/* Bytes of memory under such pages: their own, and the tables that lead to them. A table is one
 * base page with 8 bytes for each entry; one of the lowest covers as many base pages, one of the
 * next as many of those, and so on: pages further apart than what a table covers have one each. */
static double pages_bytes(struct pages pages, uint64_t page_bytes)
{
    double base = (double)platform_page_bytes(), count = (double)pages.count;
    double bytes = count * (double)page_bytes, reach = count * (double)pages.distance;
    for (double covers = base * base / 8; covers < 0x1p57; covers *= base / 8)
        if (covers > (double)page_bytes)
            bytes += base * fmin(count, floor(reach / covers) + 1);
    return bytes;
}

/* All that the point takes: its pages (the targets of `set` move from sample to sample, as far as
 * the window of no others), and a number for each node of a chain, two pointers more for code. */
static double needed_bytes(const struct point *p, struct pages pages)
{
    struct point alone = *p;
    alone.others = 0;
    double bytes = pages_bytes(pages, p->page_bytes);
    if (is_set(p))
        bytes += pages_bytes(targets_of(p), p->page_bytes * layout_others_pages(&alone));
    return bytes + (double)layout_nodes(p) * (p->kernel->executes ? 20 : 4);
}

/* What an arena for a point takes. */
struct need {
    uint64_t bytes;     /* of address space */
    struct pages pages; /* touched at first */
    double wanted;      /* bytes of memory; a pool is not part of what others may use */
};

static struct need need_of(const struct point *p, bool lock)
{
    struct need need = {.bytes = arena_bytes(p)};
    need.pages = pages_of(p, need.bytes, lock);
    if (!is_huge(p) || platform_huge_pool(p->page_bytes) < need.pages.count)
        need.wanted = needed_bytes(p, need.pages);
    return need;
}

/* ---- limits ---- */

static double held_bytes(const struct arenas *arenas)
{
    double held = 0;
    for (int i = 0; i < ARENAS; i++)
        held += arenas->at[i].taken;
    return held;
}

static void free_arena(struct arena *arena)
{
    if (arena->memory != NULL)
        platform_unmap(arena->memory, arena->bytes);
    *arena = (struct arena){0};
}

/* The arena that was not used for longest, or a free one; NULL where `mapped` ones are wanted and
 * all are free. */
static struct arena *oldest_arena(struct arenas *arenas, bool mapped)
{
    struct arena *oldest = NULL;
    for (int i = 0; i < ARENAS; i++) {
        struct arena *arena = &arenas->at[i];
        if ((!mapped || arena->memory != NULL) && (oldest == NULL || arena->used < oldest->used))
            oldest = arena;
    }
    return oldest;
}

/* Frees arenas, the oldest first, until the others and the new one take less than a share of what
 * this process may have, and there is address space for it. */
static void make_room(struct arenas *arenas, double wanted, uint64_t bytes)
{
    double share = arenas->options->by_name ? 0.9 : 0.5;
    double most = share * ((double)platform_memory().available + held_bytes(arenas));
    struct arena *oldest = oldest_arena(arenas, true);
    for (; oldest != NULL; oldest = oldest_arena(arenas, true)) {
        if (held_bytes(arenas) + wanted <= most && bytes <= platform_address_space())
            return;
        free_arena(oldest);
    }
}

/* Dies or warns when the point wants more memory than this process should take. */
static void check_memory(const struct arenas *arenas, const struct point *p,
                         const struct need *need, bool aloud)
{
    double wanted = need->wanted;
    struct platform_memory memory = platform_memory();
    char what[128];
    memory.available += arenas->options->swap_bytes;
    snprintf(what, sizeof what, "%llu nodes of layout %s need %.0f MiB, and %.0f MiB are available",
             (unsigned long long)layout_nodes(p), p->layout->name, wanted / 0x1p20,
             (double)memory.available / 0x1p20);
    if (wanted > (double)memory.available || layout_nodes(p) > UINT32_MAX ||
        need->pages.count > UINT32_MAX)
        die("%s (%s)", what, memory.source);
    if (wanted <= 0.5 * (double)memory.available)
        return;
    if (!arenas->options->by_name)
        die("%s (%s): defaults take less than half; ask for the size by name", what, memory.source);
    if (aloud)
        warn("%s (%s): other programs may be pushed out of memory", what, memory.source);
}

static void check_space(const struct point *p, uint64_t bytes)
{
    uint64_t space = platform_address_space();
    if (bytes > space)
        die("%llu nodes of layout %s, %llu bytes apart, span %.1f GiB of address space, and %.1f "
            "GiB are left for them (by the processor, ulimit -v and vm.overcommit_memory)",
            (unsigned long long)layout_nodes(p), p->layout->name, (unsigned long long)p->spacing,
            (double)bytes / 0x1p30, (double)space / 0x1p30);
}

/* ---- making one ---- */

static void touch_page(const struct point *p, char *page)
{
    if (!is_huge(p))
        *page = 1;
    else if (!platform_touch(page, p->page_bytes))
        die("the system has no more pages of %llu KiB", (unsigned long long)p->page_bytes >> 10);
}

/* First touch in random page order, so that neighbouring pages get frames that are not neighbours
 * (no entry of the TLB can hold two of them). */
static void touch_at_random(const struct arenas *arenas, const struct arena *arena,
                            struct pages pages)
{
    const struct point *p = &arena->largest;
    struct random random;
    if (pages.count == 0)
        return;
    random_seed(&random, arenas->options->seed, random_mix(p->spacing, pages.count));
    uint32_t *order = allocate(pages.count, sizeof *order);
    chain_cycle(order, pages.count, &random);
    uint32_t page = 0;
    for (uint64_t i = 0; i < pages.count; i++, page = order[page])
        touch_page(p, arena->memory + page * pages.distance);
    free(order);
}

/* Maps memory for the arena's largest point; `pages` of it are going to be touched. */
static void map_arena(struct arena *arena, uint64_t pages)
{
    const struct point *p = &arena->largest;
    struct platform_result *result = &arena->backing;
    uint64_t align = p->page_bytes;
    while (align < arena->bytes && align < align_most)
        align *= 2;
    if (is_huge(p)) {
        arena->memory = platform_map_huge(arena->bytes, align, p->page_bytes, pages, result);
        if (arena->memory == NULL)
            die("no pages of %llu KiB are to be had: %s", (unsigned long long)p->page_bytes >> 10,
                result->why);
        return;
    }
    arena->memory = platform_map(arena->bytes, align, result);
    if (arena->memory == NULL)
        die("the system gives no %.0f MiB of address space: %s", (double)arena->bytes / 0x1p20,
            result->why);
}

/* Touches the pages and looks what they lie on. */
static void touch_arena(const struct arenas *arenas, struct arena *arena, struct pages pages)
{
    const struct point *p = &arena->largest;
    struct platform_result filled = {.answer = PLATFORM_YES};
    if (is_contiguous(p))
        filled = platform_touch_contiguous(arena->memory, pages.count * pages.distance);
    else
        touch_at_random(arenas, arena, pages);
    touch_at_random(arenas, arena, targets_of(p));
    if (is_huge(p)) {
        arena->backing = platform_huge(arena->memory, arena->bytes, p->page_bytes, pages.count);
        if (arena->backing.answer == PLATFORM_NO)
            die("pages of %llu KiB were asked for: %s", (unsigned long long)p->page_bytes >> 10,
                arena->backing.why);
    } else if (is_contiguous(p)) {
        arena->backing = platform_contiguous(arena->memory, pages.count);
        if (filled.answer == PLATFORM_NO && arena->backing.answer != PLATFORM_YES)
            arena->backing = filled;
    } else if (arena->backing.answer == PLATFORM_YES) /* no huge pages, so far */
        arena->backing = platform_scattered(arena->memory, pages.count, pages.distance);
}

static void fill_arena(struct arenas *arenas, struct arena *arena, const struct point *p)
{
    struct need need = need_of(p, arenas->options->lock);
    free_arena(arena);
    make_room(arenas, need.wanted, need.bytes);
    check_memory(arenas, p, &need, true);
    check_space(p, need.bytes);
    *arena = (struct arena){.largest = *p, .bytes = need.bytes, .taken = need.wanted};
    map_arena(arena, need.pages.count + targets_of(p).count);
    if (arenas->options->lock) /* of no effect on such memory, but the whitepaper does it */
        platform_will_need(arena->memory, arena->bytes);
    touch_arena(arenas, arena, need.pages);
    arena->backed = answer_keep(arena->backing);
    if (p->kernel->executes)
        code_place(arena->memory, arena->bytes, p, arenas->options->line_bytes);
    else if (!p->kernel->chases) /* every byte that the lab reads is 1 */
        for (uint64_t i = 0; i < p->pages; i++)
            arena->memory[i * p->spacing] = 1;
    if (arenas->options->lock) /* only now: locking first would touch the pages in order */
        arena->locked = answer_keep(platform_lock(arena->memory, arena->bytes));
}

void arena_move(const struct arenas *arenas, struct arena *arena, const struct point *p)
{
    uint64_t line = arenas->options->line_bytes;
    if (!is_set(p))
        return;
    for (uint64_t i = 0; i < p->targets && is_huge(p); i++) {
        uint64_t place = p->layout->offset(p, line, i);
        touch_page(p, arena->memory + (place - place % p->page_bytes));
    }
    if (p->kernel->executes)
        code_place(arena->memory, arena->bytes, p, line);
}

/* ---- finding one ---- */

static bool shares_arena(const struct point *a, const struct point *b)
{
    return a->layout == b->layout && a->page_bytes == b->page_bytes &&
           (a->spacing == b->spacing || a->layout == &layouts[LAYOUT_PAIR]) &&
           a->backing == b->backing && a->buffer == b->buffer &&
           a->kernel->chases == b->kernel->chases && a->kernel->executes == b->kernel->executes;
}

static void check_kernel(const struct point *p)
{
    if (p->kernel->unavailable != NULL)
        die("kernel %s: %s", p->kernel->name, p->kernel->unavailable);
    if (layout_refuses(p) != NULL)
        die("layout %s, kernel %s: %s", p->layout->name, p->kernel->name, layout_refuses(p));
    if (p->spacing % p->kernel->node_bytes != 0)
        die("kernel %s: the distance of nodes must be a multiple of %llu bytes", p->kernel->name,
            (unsigned long long)p->kernel->node_bytes);
}

/* Makes the point large enough for another of its kind; false when it is already. */
static bool enlarge(struct point *largest, const struct point *p)
{
    bool larger = (p->pages > largest->pages && p->buffer == 0 && !is_set(p)) ||
                  p->targets > largest->targets || p->others > largest->others;
    largest->pages = p->pages > largest->pages ? p->pages : largest->pages;
    largest->targets = p->targets > largest->targets ? p->targets : largest->targets;
    largest->others = p->others > largest->others ? p->others : largest->others;
    if (is_set(p))
        largest->pages = largest->targets + largest->others;
    return larger;
}

struct arena *arenas_find(struct arenas *arenas, const struct point *p)
{
    struct arena *arena = NULL;
    check_kernel(p);
    for (int i = 0; i < ARENAS && arena == NULL; i++)
        if (arenas->at[i].memory != NULL && shares_arena(&arenas->at[i].largest, p))
            arena = &arenas->at[i];
    struct point largest = arena != NULL ? arena->largest : *p;
    if (arena == NULL || enlarge(&largest, p)) {
        if (arena == NULL)
            arena = oldest_arena(arenas, false);
        fill_arena(arenas, arena, &largest);
    }
    arena->used = ++arenas->clock;
    return arena;
}

struct point arenas_place(const struct arenas *arenas, const struct point *p)
{
    static const double windows_most = 0.4; /* of the memory: below the half of defaults */
    struct point here = *p;
    here.one_window = (double)layout_windows_bytes(p) > windows_most * arenas->room;
    return here;
}

/* The largest point of each kind; kinds beyond the number of arenas take turns later. */
static size_t largest_of(const struct arenas *arenas, const struct point *points, size_t count,
                         struct point largest[ARENAS])
{
    size_t kinds = 0;
    for (size_t i = 0; i < count; i++) {
        size_t k = 0;
        while (k < kinds && !shares_arena(&largest[k], &points[i]))
            k++;
        if (k == kinds && kinds < ARENAS)
            largest[kinds++] = arenas_place(arenas, &points[i]);
        else if (k < kinds)
            enlarge(&largest[k], &points[i]);
    }
    return kinds;
}

void arenas_check(const struct arenas *arenas, const struct point *points, size_t count)
{
    struct point largest[ARENAS];
    size_t kinds = largest_of(arenas, points, count, largest);
    for (size_t k = 0; k < kinds; k++) {
        const struct point *p = &largest[k];
        check_kernel(p);
        struct need need = need_of(p, arenas->options->lock);
        check_memory(arenas, p, &need, false);
        check_space(p, need.bytes);
        struct arena trial = {.largest = *p, .bytes = need.bytes};
        map_arena(&trial, need.pages.count + targets_of(p).count); /* address space alone */
        free_arena(&trial);
        if (p->kernel->executes)
            code_check();
    }
}

void arenas_prepare(struct arenas *arenas, const struct point *points, size_t count)
{
    struct point largest[ARENAS];
    size_t kinds = largest_of(arenas, points, count, largest);
    for (size_t k = 0; k < kinds; k++)
        arenas_find(arenas, &largest[k]);
}

void arenas_free(struct arenas *arenas)
{
    for (int i = 0; i < ARENAS; i++)
        free_arena(&arenas->at[i]);
}
