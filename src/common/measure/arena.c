/* arena.c: the buffers of a run, and the pages under them.
 *
 * The order of first touch decides the page frames. A buffer is therefore touched as a whole
 * before its first use, and replaced for a larger point. */
#include "measure/arena.h"
#include "access/chain.h"
#include "access/code.h"
#include "access/kernel.h"
#include "access/layout.h"
#include "base/error.h"
#include "base/random.h"
#include "machine/outcome.h"
#include "measure/binding.h"
#include <stdlib.h>

/* Aligning a buffer to its size (up to this) gives every run the same low page-number bits, and
 * therefore evenly filled TLB sets. */
static const uint64_t align_max = (uint64_t)1 << 30;

/* ---- room ---- */

static double held_bytes(const struct arenas *arenas)
{
    double held = 0;
    for (int i = 0; i < ARENAS; i++)
        held += arenas->at[i].taken;
    return held;
}

static void free_arena(struct arenas *arenas, struct arena *arena)
{
    if (arenas->left == arena)
        arenas->left = NULL;
    if (arena->memory != NULL)
        platform_unmap(arena->memory, arena->bytes);
    *arena = (struct arena){0};
}

/* The least recently used arena; of the mapped ones only if `mapped` (NULL: all are free). */
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

/* Frees arenas, the least recently used first, until the rest and the new one take less than a
 * share of the memory available to this process, and there is address space for it. */
static void make_room(struct arenas *arenas, double wanted, uint64_t bytes)
{
    double share = arenas->options->sizes_given ? 0.9 : 0.5;
    double max = share * ((double)platform_memory().available + held_bytes(arenas));
    struct arena *oldest = oldest_arena(arenas, true);
    for (; oldest != NULL; oldest = oldest_arena(arenas, true)) {
        if (held_bytes(arenas) + wanted <= max && bytes <= platform_address_space())
            return;
        free_arena(arenas, oldest);
    }
}

/* ---- making one ---- */

static void touch_page(const struct point *p, char *page)
{
    if (!p->backing->huge)
        *page = 1;
    else if (!platform_touch(page, p->page_bytes))
        die("the system has no more free pages of %llu KiB",
            (unsigned long long)p->page_bytes >> 10);
}

/* First touch in random page order: adjacent pages get page frames that are not adjacent, so no
 * TLB entry can hold two of them. */
static void touch_at_random(const struct arenas *arenas, const struct arena *arena,
                            struct spaced_pages pages)
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

/* Maps memory for the arena's largest point, of which `pages` pages will be touched. */
static void map_pages(struct arena *arena, uint64_t pages)
{
    const struct point *p = &arena->largest;
    struct platform_outcome *result = &arena->backing;
    uint64_t align = p->page_bytes;
    while (align < arena->bytes && align < align_max)
        align *= 2;
    if (p->backing->huge) {
        arena->memory = platform_map_huge(arena->bytes, align, p->page_bytes, pages, result);
        if (arena->memory == NULL)
            die("the system provides no pages of %llu KiB: %s",
                (unsigned long long)p->page_bytes >> 10, result->why);
        return;
    }
    arena->memory = platform_map(arena->bytes, align, result);
    if (arena->memory == NULL)
        die("the system provides no %.0f MiB of address space: %s", (double)arena->bytes / 0x1p20,
            result->why);
}

static void map_arena(const struct arenas *arenas, struct arena *arena, uint64_t pages)
{
    map_pages(arena, pages);
    node_bind(arenas->options->node, arena->memory, arena->bytes);
}

/* Touches the pages and verifies their backing. */
static void touch_arena(const struct arenas *arenas, struct arena *arena,
                        const struct footprint *need)
{
    const struct point *p = &arena->largest;
    struct platform_outcome filled = {.verdict = PLATFORM_YES};
    if (p->backing->contiguous)
        filled = platform_touch_contiguous(arena->memory, need->pages.count * need->pages.distance);
    else
        touch_at_random(arenas, arena, need->pages);
    touch_at_random(arenas, arena, need->targets);
    if (p->backing->huge) {
        arena->backing = platform_huge(arena->memory, arena->bytes, p->page_bytes,
                                       need->pages.count);
        if (arena->backing.verdict == PLATFORM_NO)
            die("the memory is not on pages of %llu KiB: %s",
                (unsigned long long)p->page_bytes >> 10, arena->backing.why);
    } else if (p->backing->contiguous) {
        arena->backing = platform_contiguous(arena->memory, need->pages.count);
        if (filled.verdict == PLATFORM_NO && arena->backing.verdict != PLATFORM_YES)
            arena->backing = filled;
    } else if (arena->backing.verdict == PLATFORM_YES) /* huge pages are disabled for it */
        arena->backing = platform_scattered(arena->memory, need->pages.count, need->pages.distance);
}

/* The whitepaper's madvise(), which has no effect on anonymous memory. */
static void advise(const struct arena *arena)
{
    struct platform_outcome advised = platform_will_need(arena->memory, arena->bytes);
    if (advised.verdict == PLATFORM_NO)
        warn("the system refused the advice that %.0f MiB will be needed: %s",
             (double)arena->bytes / 0x1p20, advised.why);
}

static void fill_arena(struct arenas *arenas, struct arena *arena, const struct point *p)
{
    struct footprint need = footprint_of(p, arenas->options->lock);
    free_arena(arenas, arena);
    make_room(arenas, need.wanted, need.bytes);
    footprint_check(&need, p, arenas->options, true);
    *arena = (struct arena){.largest = *p, .bytes = need.bytes, .taken = need.wanted};
    map_arena(arenas, arena, need.pages.count + need.targets.count);
    if (arenas->options->lock)
        advise(arena);
    touch_arena(arenas, arena, &need);
    arena->backed = outcome_keep(arena->backing);
    struct spaced_pages pages = need.pages.count > 0 ? need.pages : need.targets;
    arena->node = node_verify(arenas->options->node, arena->memory, pages.count, pages.distance);
    if (!p->kernel->chases) /* the lab sums bytes of value 1 */
        for (uint64_t i = 0; i < p->pages; i++)
            arena->memory[i * p->spacing] = 1;
    if (arenas->options->lock) /* last, because locking touches the pages in order */
        arena->locked = outcome_keep(platform_lock(arena->memory, arena->bytes));
}

void arena_move(const struct arenas *arenas, struct arena *arena, const struct point *p)
{
    uint64_t line = arenas->options->line_bytes;
    if (!p->layout->targets)
        return;
    for (uint64_t i = 0; i < p->targets && p->backing->huge; i++) {
        uint64_t place = p->layout->offset(p, line, i);
        touch_page(p, arena->memory + (place - place % p->page_bytes));
    }
}

/* Invalidates the pages of the nodes; neighbouring ones together. */
static void invalidate(const struct arenas *arenas, char *memory, const struct point *p)
{
    uint64_t page = p->page_bytes, begin = 0, end = 0;
    for (uint64_t i = 0; i < layout_nodes(p); i++) {
        uint64_t at = p->layout->offset(p, arenas->options->line_bytes, i);
        at -= at % page;
        if (end > 0 && (at == end || at + page == end)) {
            end = at + page;
            continue;
        }
        platform_invalidate(memory + begin, end - begin);
        begin = at;
        end = at + page;
    }
    platform_invalidate(memory + begin, end - begin);
}

void arenas_leave(struct arenas *arenas, struct arena *arena, const struct point *p)
{
    struct point *last = &arenas->last;
    bool here = arenas->left == arena && p->moment > 0 && p->moment == last->moment &&
                p->sample == last->sample;
    if (arenas->left != NULL && !here && last->backing->scattered && !last->kernel->executes)
        invalidate(arenas, arenas->left->memory, last);
    if (!here || p->pages > last->pages)
        *last = *p;
    arenas->left = arena;
}

/* ---- finding one ---- */

static bool shares_arena(const struct point *a, const struct point *b)
{
    return a->layout == b->layout && a->page_bytes == b->page_bytes &&
           (a->spacing == b->spacing || a->layout->pairs) && a->backing == b->backing &&
           a->touches == b->touches && a->buffer == b->buffer &&
           a->kernel->chases == b->kernel->chases && a->kernel->executes == b->kernel->executes;
}

static void check_point(const struct point *p)
{
    if (p->kernel->unavailable != NULL)
        die("kernel %s: %s", p->kernel->name, p->kernel->unavailable);
    if (point_refuses(p) != NULL)
        die("%s", point_refuses(p));
}

static bool raise_to(uint64_t *maximum, uint64_t value)
{
    bool larger = value > *maximum;
    *maximum = larger ? value : *maximum;
    return larger;
}

/* Raises `largest` to the maxima of it and another point of its kind; false when nothing changes.
 */
static bool enlarge(struct point *largest, const struct point *p)
{
    bool larger = raise_to(&largest->targets, p->targets);
    larger |= raise_to(&largest->others, p->others);
    larger |= raise_to(&largest->others_spacing, p->others_spacing);
    if (raise_to(&largest->pages, p->pages)) {
        largest->kernel = p->kernel; /* a kernel that draws its nodes refuses some sizes */
        larger |= p->buffer == 0 && !p->layout->targets;
    }
    if (p->layout->targets)
        largest->pages = largest->targets + largest->others;
    return larger;
}

struct arena *arenas_find(struct arenas *arenas, const struct point *p)
{
    struct arena *arena = NULL;
    check_point(p);
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
    static const double places_max = 0.4; /* share of memory, below the limit of one half [prior] */
    struct point here = *p;
    here.one_place = (double)layout_places_bytes(p) > places_max * arenas->room;
    return here;
}

/* The largest point of each kind. Kinds beyond the number of arenas get theirs when measured. */
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
    for (size_t i = 0; i < count; i++)
        check_point(&points[i]);
    for (size_t k = 0; k < kinds; k++) {
        const struct point *p = &largest[k];
        struct footprint need = footprint_of(p, arenas->options->lock);
        footprint_check(&need, p, arenas->options, false);
        struct arena trial = {.largest = *p, .bytes = need.bytes};
        map_arena(arenas, &trial,
                  need.pages.count + need.targets.count); /* takes address space only */
        platform_unmap(trial.memory, trial.bytes);
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
        free_arena(arenas, &arenas->at[i]);
}
