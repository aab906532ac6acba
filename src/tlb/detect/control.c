/* control.c: from samples to boundaries by the control method. */
#include "tlb/detect/control.h"
#include "access/kernel.h"
#include "access/layout.h"
#include "base/error.h"
#include "tlb/laps/levels.h"
#include <math.h>
#include <stdlib.h>

/* With random page frames a physically indexed cache overflows early in `page`, but half of that
 * step is never reached below this fraction of its size. [physics: 8 ways of random frames] */
static const double early_overflow = 0.4;

/* Curves are sorted by kernel and backing, as in kernels[] and backings[], the default first, and
 * then by page size. */
static bool is_before(const struct point *a, const struct point *b)
{
    if (a->kernel != b->kernel)
        return a->kernel < b->kernel;
    if (a->backing != b->backing)
        return a->backing < b->backing;
    return a->page_bytes < b->page_bytes;
}

/* Several nodes per huge page: the probe of tlb_levels_splinter(). */
static bool is_splinter_probe(const struct point *p)
{
    return p->backing->huge && p->spacing < p->page_bytes;
}

size_t control_curves(const struct series *series, const struct point *pages[CONTROLS_MOST])
{
    size_t count = 0;
    for (size_t i = 0; i < series->count; i++) {
        const struct point *p = &series->groups[i].point;
        size_t k = 0;
        if (!group_layout(&series->groups[i])->per_page || is_splinter_probe(p))
            continue;
        while (k < count && (pages[k]->kernel != p->kernel || pages[k]->backing != p->backing ||
                             pages[k]->page_bytes != p->page_bytes))
            k++; /* the smallest spacing comes first */
        if (k < count || count == CONTROLS_MOST)
            continue;
        for (k = count++; k > 0 && is_before(p, pages[k - 1]); k--)
            pages[k] = pages[k - 1];
        pages[k] = p;
    }
    return count;
}

/* Error of the difference where a physically indexed cache overflows, as a fraction of that cache's
 * step: a few samples do not average out the page frames. [prior] */
static const double cache_error = 0.1;

/* Error of the difference caused by the caches, at a number of pages. The first cache counts only
 * if its rise is gradual: otherwise it is virtually indexed. */
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

/* The difference, with the error caused by the caches added. */
static struct curve with_cache_errors(const struct control *c)
{
    struct curve unsure = curve_copy(&c->difference);
    for (size_t i = 0; i < unsure.count; i++)
        unsure.at[i].error = hypot(unsure.at[i].error, error_of_caches(c, unsure.at[i].pages));
    return unsure;
}

size_t control_fit(const struct control *c, struct fitted_level levels[FIT_LEVELS_MOST])
{
    enum kinds of = c->page.kernel->executes      ? KINDS_CODE
                    : c->page.backing->contiguous ? KINDS_NEIGHBOURS
                                                  : KINDS_LOADS;
    double lines = c->alone ? INFINITY : c->page_bytes / c->line_bytes;
    return fit_levels(&c->fitted_to, lines, of, levels);
}

/* The time that translation adds to a load of `packed`. */
static double packed_cost(const struct control *c, double nodes)
{
    double cost = 0, lines = c->page_bytes / c->line_bytes;
    for (size_t i = 0; i < c->tlb_count; i++)
        cost += c->tlb[i].knee.step_ns * fit_packed_share(c->tlb[i].entries, nodes, lines);
    return cost;
}

static void correct_for_packed_cost(struct control *c)
{
    for (size_t i = 0; i < c->difference.count; i++)
        c->difference.at[i].ns += packed_cost(c, c->difference.at[i].pages);
    for (size_t i = 0; i < c->packed.count; i++)
        c->packed.at[i].ns -= packed_cost(c, c->packed.at[i].pages);
}

/* Whether moments were measured of this curve's pages. */
static bool has_moments(const struct series *series, const struct point *page)
{
    return series->moment_count > 0 && page->kernel == &kernels[KERNEL_READ] &&
           page->backing->scattered && page->spacing == page->page_bytes;
}

/* The levels: counted if moments were measured, else fitted. */
static size_t find_levels(struct control *c, const struct series *series)
{
    if (!has_moments(series, &c->page))
        return control_fit(c, c->tlb);
    struct laps laps = laps_of_series(series);
    return laps_levels(&laps, &c->difference, c->tlb);
}

struct control control_analyse(const struct series *series, const struct point *page)
{
    const struct point *packed = curve_packed(series, page);
    struct control c = {.page = *page,
                        .packed = curve_alone(series, packed),
                        .page_bytes = (double)page->page_bytes,
                        .line_bytes = packed != NULL ? (double)packed->spacing : 0,
                        .scattered = page->backing->scattered,
                        .samples = control_samples(series, page)};
    c.alone = c.packed.count == 0;
    c.difference = c.alone ? curve_alone(series, page) : curve_control(series, page);
    c.cache_count = knee_find(&c.packed, c.cache);
    c.fitted_to = with_cache_errors(&c);
    c.tlb_count = find_levels(&c, series);
    if (!c.alone) {
        correct_for_packed_cost(&c);
        c.cache_count = knee_find(&c.packed, c.cache);
    }
    return c;
}

size_t control_samples(const struct series *series, const struct point *page)
{
    const struct point *packed = curve_packed(series, page);
    size_t count = 0;
    for (size_t i = 0; i < series->count; i++) {
        const struct group *group = &series->groups[i];
        if (point_same_curve(&group->point, page) ||
            (packed != NULL && point_same_curve(&group->point, packed)))
            count += group->count;
    }
    return count;
}

void control_free(struct control *control)
{
    curve_free(&control->difference);
    curve_free(&control->fitted_to);
    curve_free(&control->packed);
}

/* ---- boundaries ---- */

/* The plateau below a cache's end is fitted from this fraction of its size on; chains of a few
 * nodes may differ for other reasons. [prior] */
static const double cache_plateau = 0.125;

/* Fits cache k alone, to the points of `packed` between the adjacent rises; false if no kind fits.
 */
static bool fit_cache(const struct control *c, size_t k, struct fitted_level *level)
{
    const struct knee *rise = &c->cache[k];
    size_t first = k > 0 ? rise[-1].end : 0;
    size_t last = k + 1 < c->cache_count ? rise[1].before : c->packed.count - 1;
    while (c->packed.at[first].pages < cache_plateau * c->packed.at[rise->before].pages)
        first++;
    const struct curve part = {c->packed.at + first, last + 1 - first};
    struct fitted_level found[FIT_LEVELS_MOST];
    if (fit_levels(&part, INFINITY, KINDS_LOADS, found) == 0)
        return false;
    *level = found[0];
    level->knee.before += first;
    level->knee.after += first;
    level->knee.end += first;
    return true;
}

/* A gradual rise has ended if the curve continues to this many times the size; it may have started
 * at its first size divided by the second number, as a few misses are lost in noise. [prior] */
static const double open_above = 2, hidden_most = 1.2;

/* Adds the row of level k (from 0) of a TLB or of the caches. */
static struct boundary *add_row(const struct control *c, enum structure structure, size_t k,
                                const struct fitted_level *level, struct boundaries *found)
{
    bool cache = structure == STRUCTURE_CACHE;
    const struct curve *curve = cache ? &c->packed : &c->difference;
    struct boundary *b = boundary_add(found, structure, (int)k + 1, "control");
    b->entries = level->entries;
    double least = level->least, most = level->most;
    if (most < level->entries) { /* the fit found no range */
        least = curve_size_below(curve, level->entries);
        most = curve_size_above(curve, level->entries);
    }
    boundary_set_range(b, least, most, cache ? c->line_bytes : c->page_bytes);
    boundary_set_step(b, curve->at[level->knee.before].load_ns, level->knee.step_ns);
    b->by_fit = !level->by_laps;
    b->evidence.errors = c->alone ? 0 : level->knee.significance;
    b->evidence.signs = level->poor && level->knee.gradual ? 0 : level->odd ? 1 : 2;
    if (level->by_laps)
        b->evidence.signs = level->signs;
    if (level->held)
        note_add(&b->note, NOTE_INTERFERENCE);
    if (level->knee.gradual)
        note_add(&b->note, NOTE_GRADUAL);
    if (c->alone)
        note_add(&b->note, NOTE_NO_CONTROL);
    if (level->knee.reaches_end)
        note_add(&b->note, NOTE_AT_END_OF_SWEEP);
    boundary_judge(b);
    return b;
}

void control_add_level(const struct control *c, size_t k, struct boundaries *found)
{
    add_row(c, STRUCTURE_DTLB, k, &c->tlb[k], found);
}

/* Adds one row for all caches from k (from 0) on: where random page frames spread a rise over
 * octaves, so noise divides it, or for code, where tables of the front end cause rises too. Cache k
 * ends somewhere between the start and the end of these rises, if the curve reaches that end. */
static void add_uneven(const struct control *c, size_t k, struct boundaries *found)
{
    const struct curve_point *at = c->packed.at, *last = at + c->packed.count - 1;
    const struct knee *first = &c->cache[k], *end = &c->cache[c->cache_count - 1];
    bool open = open_above * at[end->end].pages > last->pages;
    struct fitted_level rise = {.entries = NAN,
                                .least = floor(at[first->before].pages / hidden_most),
                                .most = open ? NAN : at[end->end].pages,
                                .knee = *first};
    rise.knee.step_ns = at[end->end].ns - first->plateau_ns;
    rise.knee.gradual = true;
    rise.knee.reaches_end = open;
    boundary_doubt(add_row(c, STRUCTURE_CACHE, k, &rise, found), NOTE_WITHIN_RISE);
}

void control_add_caches(const struct control *c, struct boundaries *found)
{
    size_t most = c->page.kernel->executes ? 0 : c->scattered ? 1 : c->cache_count;
    size_t even = c->cache_count < most ? c->cache_count : most;
    struct fitted_level level;
    for (size_t k = 0; k < even; k++)
        if (fit_cache(c, k, &level))
            add_row(c, STRUCTURE_CACHE, k, &level, found);
    if (even < c->cache_count)
        add_uneven(c, even, found);
}
