/* control.c: from samples to boundaries by the control method. */
#include "detect/control.h"
#include "access/layout.h"
#include "base/error.h"
#include "curve/capacity.h"
#include <math.h>
#include <stdlib.h>

/* With random page frames a physically indexed cache overflows early in `page`, but half of that
 * step is not done below this part of its size. [physics: 8 ways of random frames] */
static const double early_overflow = 0.4;

/* At this multiple of its size the cache has overflowed completely. [prior] */
static const double late_overflow = 1.1;

/* A rise may begin at this part of the size where it is found. [prior] */
static const double foot_begins = 0.75;

/* The TLB's part of a load of `packed` at n nodes: its n / lines pages are visited in random order,
 * so that a level of C entries misses in 1 − C / pages of them (independent references, LRU). */
static double packed_cost(const struct control *c, double nodes)
{
    double cost = 0, lines = c->page_bytes / c->line_bytes;
    for (size_t i = 0; i < c->tlb_count; i++) {
        double entries = c->difference.at[c->tlb[i].before].pages;
        cost += c->tlb[i].step_ns * fmax(0, 1 - entries * lines / nodes);
    }
    return cost;
}

static void remove_packed_cost(struct control *c)
{
    for (size_t i = 0; i < c->difference.count; i++)
        c->difference.at[i].ns += packed_cost(c, c->difference.at[i].pages);
    for (size_t i = 0; i < c->packed.count; i++)
        c->packed.at[i].ns -= packed_cost(c, c->packed.at[i].pages);
}

/* Curves are in the order of their kernels and backings in kernels[] and backings[], the default
 * first, and of their page sizes. */
static bool is_before(const struct point *a, const struct point *b)
{
    if (a->kernel != b->kernel)
        return a->kernel < b->kernel;
    if (a->backing != b->backing)
        return a->backing < b->backing;
    return a->page_bytes < b->page_bytes;
}

/* Several nodes in each huge page: the probe of tlb_levels_splinter(). */
static bool is_probe(const struct point *p)
{
    return p->backing->huge && p->spacing < p->page_bytes;
}

size_t control_curves(const struct series *series, const struct point *pages[CONTROLS_MOST])
{
    size_t count = 0;
    for (size_t i = 0; i < series->count; i++) {
        const struct point *p = &series->groups[i].point;
        size_t k = 0;
        if (!group_layout(&series->groups[i])->per_page || is_probe(p))
            continue;
        while (k < count && (pages[k]->kernel != p->kernel || pages[k]->backing != p->backing ||
                             pages[k]->page_bytes != p->page_bytes))
            k++; /* the least spacing comes first */
        if (k < count || count == CONTROLS_MOST)
            continue;
        for (k = count++; k > 0 && is_before(p, pages[k - 1]); k--)
            pages[k] = pages[k - 1];
        pages[k] = p;
    }
    return count;
}

/* Error of the difference, as a part of a physically indexed cache's step, where the cache
 * overflows: few samples do not average over the page frames. [prior] */
static const double cache_error = 0.1;

/* Error of the difference at so many pages due to the caches. The first one counts only when it is
 * gradual: else it is indexed by the virtual address. */
static double error_of_caches(const struct control *c, double pages)
{
    double ns = 0;
    for (size_t k = 0; k < c->cache_count; k++) {
        double share = pages / knee_size_at(&c->packed, &c->cache[k], 0.5);
        if (k > 0 || c->cache[k].gradual)
            ns += cache_error * c->cache[k].step_ns *
                  fmin(1, fmax(0, (share - early_overflow) / (1 - early_overflow)));
    }
    return ns;
}

/* The difference with the error due to the caches in its errors. The caller frees it. */
static struct curve with_cache_errors(const struct control *c)
{
    struct curve unsure = {allocate(c->difference.count, sizeof *unsure.at), c->difference.count};
    for (size_t i = 0; i < unsure.count; i++) {
        unsure.at[i] = c->difference.at[i];
        unsure.at[i].error = hypot(unsure.at[i].error, error_of_caches(c, unsure.at[i].pages));
    }
    return unsure;
}

/* Adds the knees that page frames hide: where they make the difference fall again. */
static void add_hidden(struct control *c)
{
    struct curve unsure = with_cache_errors(c);
    struct knee knees[KNEES_MOST];
    size_t count = knee_find(&unsure, knees);
    c->tlb_count = knee_append(c->tlb, c->tlb_count, knees, count);
    curve_free(&unsure);
}

struct control control_analyse(const struct series *series, const struct point *page)
{
    const struct point *packed = curve_packed(series, page);
    struct control c = {.page = *page,
                        .difference = curve_control(series, page),
                        .packed = curve_alone(series, packed),
                        .page_bytes = (double)page->page_bytes,
                        .line_bytes = packed != NULL ? (double)packed->spacing : 0,
                        .scattered = page->backing->scattered};
    c.alone = c.packed.count == 0;
    if (c.alone) {
        curve_free(&c.difference);
        c.difference = curve_alone(series, page);
    }
    c.tlb_count = knee_find(&c.difference, c.tlb);
    if (!c.alone) {
        remove_packed_cost(&c);
        c.tlb_count = knee_find(&c.difference, c.tlb);
    }
    c.cache_count = knee_find(&c.packed, c.cache);
    if (!c.alone)
        add_hidden(&c);
    return c;
}

void control_free(struct control *control)
{
    curve_free(&control->difference);
    curve_free(&control->packed);
}

/* ---- boundaries ---- */

/* The last point for the fit of a knee: an octave of the upper plateau, but before the foot of the
 * next knee. */
static size_t last_of(const struct curve *curve, const struct knee *knee, bool is_last)
{
    size_t last = is_last ? curve->count - 1 : knee[1].before;
    double most = 2 * curve->at[knee->end].pages;
    if (!is_last)
        most = fmin(most, foot_begins * curve->at[last].pages);
    while (last > knee->end && curve->at[last].pages > most)
        last--;
    return last;
}

/* The cost of each level is removed from the curve before the next is fitted, since with random
 * replacement it rises far beyond the capacity. */
void control_fit(struct control *c, size_t levels)
{
    struct curve rest = with_cache_errors(c);
    for (size_t k = 0; k < levels && k < c->tlb_count; k++) {
        struct capacity *fit = &c->tlb_fit[k];
        double before = k > 0 ? fit[-1].entries : 0;
        size_t first = k > 0 ? c->tlb[k - 1].end : 0;
        size_t last = last_of(&c->difference, &c->tlb[k], k + 1 == c->tlb_count);
        if (k == c->tlb_fitted) {
            *fit = capacity_fit(&rest, &c->tlb[k], first, last, before);
            c->tlb_fitted++;
        }
        for (size_t i = 0; i < rest.count; i++)
            rest.at[i].ns += fit->step_ns - capacity_cost(fit, rest.at[i].pages);
    }
    curve_free(&rest);
}

/* A gradual rise has ended where the curve goes on to this many times the size. [prior] */
static const double open_above = 2;

/* Fits a capacity to the first caches. */
static void fit_caches(struct control *c, size_t caches)
{
    for (; c->cache_fitted < caches; c->cache_fitted++) {
        size_t k = c->cache_fitted, first = k > 0 ? c->cache[k - 1].end : 0;
        size_t last = last_of(&c->packed, &c->cache[k], k + 1 == c->cache_count);
        c->cache_fit[k] = capacity_fit(&c->packed, &c->cache[k], first, last, 0);
    }
}

/* A cache may have moved a knee from this part of its early overflow on. [prior] */
static const double interferes_early = 0.75;

/* Whether half of the knee's step lies where a cache that overflows early in `page` may have moved
 * it. */
static bool may_be_moved(const struct control *c, const struct knee *knee)
{
    double half_way = knee_size_at(&c->difference, knee, 0.5);
    for (size_t k = 0; k < c->cache_count; k++) {
        double full = knee_size_at(&c->packed, &c->cache[k], 0.5);
        if (half_way >= interferes_early * early_overflow * full &&
            half_way <= late_overflow * full)
            return true;
    }
    return false;
}

/* What rows of both structures say of a knee but its step; entries are of `unit` bytes. */
static void fill_row(const struct control *c, const struct knee *knee,
                     const struct capacity *capacity, double unit, struct boundary *b)
{
    b->entries = capacity->entries;
    boundary_set_range(b, capacity->least, capacity->most, unit);
    b->by_fit = true;
    b->evidence.errors = c->alone ? 0 : knee->significance;
    b->evidence.signs = capacity->poor && knee->gradual ? 0 : 2;
    if (knee->gradual)
        note_add(&b->note, NOTE_GRADUAL);
    if (c->alone)
        note_add(&b->note, NOTE_NO_CONTROL);
    if (knee->reaches_end)
        note_add(&b->note, NOTE_AT_END_OF_SWEEP);
    boundary_judge(b);
}

void control_add_level(const struct control *c, size_t level, struct boundaries *found)
{
    const struct knee *knee = &c->tlb[level];
    struct boundary *b = boundary_add(found, STRUCTURE_DTLB, (int)level + 1, "control");
    fill_row(c, knee, &c->tlb_fit[level], c->page_bytes, b);
    boundary_set_step(b, c->difference.at[knee->before].load_ns, knee->step_ns);
    if (may_be_moved(c, knee))
        boundary_doubt(b, NOTE_OVERLAPS_CACHE_KNEE);
}

/* The caches behind the first one where page frames lie at random: they fill some sets early and
 * others late, so a rise takes octaves and noise divides it. The second cache ends somewhere
 * between where they begin and where they end, if the curve shows that they do. */
static void add_uneven(const struct control *c, struct boundaries *found)
{
    const struct curve_point *at = c->packed.at, *last = at + c->packed.count - 1;
    struct knee rise = c->cache[1];
    rise.end = c->cache[c->cache_count - 1].end;
    rise.reaches_end = open_above * at[rise.end].pages > last->pages;
    struct capacity range = {.entries = NAN,
                             .least = at[rise.before].pages,
                             .most = rise.reaches_end ? NAN : at[rise.end].pages,
                             .poor = true};
    struct boundary *b = boundary_add(found, STRUCTURE_CACHE, 2, "control");
    fill_row(c, &rise, &range, c->line_bytes, b);
    boundary_set_step(b, at[rise.before].load_ns, at[rise.end].ns - rise.plateau_ns);
    boundary_doubt(b, NOTE_WITHIN_RISE);
}

void control_boundaries(struct control *c, struct boundaries *found)
{
    size_t even = c->scattered && c->cache_count > 1 ? 1 : c->cache_count;
    control_fit(c, c->tlb_count);
    fit_caches(c, even);
    for (size_t i = 0; i < c->tlb_count; i++)
        control_add_level(c, i, found);
    for (size_t i = 0; i < even; i++) {
        const struct knee *knee = &c->cache[i];
        struct boundary *b = boundary_add(found, STRUCTURE_CACHE, (int)i + 1, "control");
        fill_row(c, knee, &c->cache_fit[i], c->line_bytes, b);
        boundary_set_step(b, c->packed.at[knee->before].load_ns, c->cache_fit[i].step_ns);
    }
    if (even < c->cache_count)
        add_uneven(c, found);
}
