/* tlb_levels.c: the boundaries of a series with several curves. */
#include "tlb/detect/tlb_levels.h"
#include "access/kernel.h"
#include "access/layout.h"
#include "tlb/detect/page_curves.h"
#include "tlb/laps/levels.h"
#include <math.h>
#include <string.h>

/* On contiguous page frames an entry of a level holds several pages if the level's pages exceed
 * those on scattered frames by this ratio; below the second ratio the rise is not that level.
 * [prior] */
static const double ratio_min = 1.5, ratio_possible = 0.8;

/* A huge page is splintered if many nodes in it exceed a few nodes by this fraction of a load's
 * time, and by this many standard errors. [significance] */
static const double splinter_rise = 0.1, splinter_errors = 6;

/* A curve, its TLB levels, and its rows, TLB rows first. */
struct curve_levels {
    const struct point *page;
    struct page_curves curves;
    struct boundary *rows;
    size_t tlb_count, count;
};

static bool is_code(const struct point *point)
{
    return point->kernel->executes;
}

/* The row of level k (from 0); NULL: there is none, or its level is unknown. */
static const struct boundary *level_of(const struct curve_levels *curve, size_t k)
{
    return k < curve->tlb_count && curve->rows[k].level > 0 ? &curve->rows[k] : NULL;
}

/* A rise with far fewer pages than the same level on scattered page frames, or from another
 * plateau, belongs to a cache. */
static bool is_possible(const struct boundary *b, const struct knee *knee,
                        const struct boundary *scattered, const struct knee *other)
{
    return b->entries_max >= ratio_possible * scattered->entries_min &&
           fabs(knee->plateau_ns - other->plateau_ns) <= other->step_ns / 2;
}

/* Removes the rows of levels on contiguous page frames that scattered ones do not show as well, and
 * all later levels. */
static void drop_impossible(struct curve_levels *curve, const struct curve_levels *scattered,
                            struct boundaries *found)
{
    size_t k = 0;
    for (; k < curve->tlb_count; k++) {
        const struct boundary *other = level_of(scattered, k);
        if (other == NULL || !is_possible(&curve->rows[k], &curve->curves.tlb[k].knee, other,
                                          &scattered->curves.tlb[k].knee))
            break;
    }
    size_t dropped = curve->tlb_count - k;
    struct boundary *rest = &curve->rows[curve->tlb_count];
    memmove(rest - dropped, rest, (size_t)(&found->at[found->count] - rest) * sizeof *rest);
    found->count -= dropped;
    curve->tlb_count = k;
}

/* ---- instructions ---- */

static void name_code(struct curve_levels *curve)
{
    for (size_t i = 0; i < curve->tlb_count; i++) {
        struct boundary *b = &curve->rows[i];
        b->structure = STRUCTURE_ITLB;
        if (curve->curves.counted)
            continue;
        b->level = b->criteria = 0;
        note_add(&b->note, NOTE_MAY_BE_FRONT_END);
    }
}

/* Chains of layout line have no control, so a rise may be that of a cache. */
static void name_rises(struct curve_levels *curve)
{
    for (size_t i = 0; i < curve->tlb_count; i++) {
        curve->rows[i].level = curve->rows[i].criteria = 0;
        curve->rows[i].entries = NAN;
    }
}

/* ---- contiguous page frames ---- */

/* Whether n pages per entry explain both ranges. */
static bool explains(double n, const struct boundary *contiguous, const struct boundary *scattered)
{
    return contiguous->entries_max >= n * (scattered->entries_min - 1) + 1 &&
           contiguous->entries_min <= n * scattered->entries_max;
}

bool tlb_levels_coalesce(struct boundary *contiguous, const struct boundary *scattered)
{
    double ratio = contiguous->entries / scattered->entries, n = round(ratio);
    if (!(ratio >= ratio_min) || contiguous->entries_min <= scattered->entries_max)
        return false;
    note_add(&contiguous->note, NOTE_COALESCED);
    if (explains(n, contiguous, scattered) && !explains(n - 1, contiguous, scattered) &&
        !explains(n + 1, contiguous, scattered)) {
        note_add_number(&contiguous->note, NOTE_PAGES_PER_ENTRY, n);
        contiguous->entries = ceil(contiguous->entries / n);
        contiguous->entries_min = ceil(contiguous->entries_min / n);
        contiguous->entries_max = ceil(contiguous->entries_max / n);
        return true;
    }
    contiguous->entries = contiguous->entries_min = contiguous->entries_max = NAN;
    contiguous->criteria = contiguous->criteria > 0 ? 1 : 0;
    return true;
}

static void compare_with_scattered(struct curve_levels *contiguous,
                                   const struct curve_levels *scattered, struct tlb_findings *all)
{
    for (size_t i = 0; i < contiguous->tlb_count; i++) {
        const struct boundary *other = level_of(scattered, i);
        if (other == NULL)
            continue;
        all->compared = true;
        all->coalesced = tlb_levels_coalesce(&contiguous->rows[i], other) || all->coalesced;
    }
}

/* ---- huge pages ---- */

/* Whether a curve has several nodes in each huge page of the curve `huge`. */
static bool probes_pages_of(const struct point *p, const struct point *huge)
{
    return p->backing == huge->backing && p->kernel == huge->kernel &&
           p->page_bytes == huge->page_bytes && p->spacing < p->page_bytes;
}

/* Whether all nodes of a page take longer than the first few. */
static bool rises(const struct curve_point *few, const struct curve_point *all)
{
    double rise = all->ns - few->ns;
    return rise > splinter_rise * all->load_ns &&
           rise > splinter_errors * hypot(all->error, few->error);
}

uint64_t tlb_levels_splinter(const struct series *series, const struct point *huge)
{
    for (size_t i = 0; i < series->count; i++) {
        const struct point *p = &series->groups[i].point;
        if (!group_layout(&series->groups[i])->per_page || !probes_pages_of(p, huge))
            continue;
        struct curve curve = curve_difference(series, p);
        while (curve.count > 0 &&
               curve.at[curve.count - 1].pages * (double)p->spacing > (double)p->page_bytes)
            curve.count--;
        bool splintered = curve.count > 1 && rises(&curve.at[0], &curve.at[curve.count - 1]);
        curve_free(&curve);
        if (splintered)
            return p->spacing;
        while (i + 1 < series->count && point_same_curve(&series->groups[i + 1].point, p))
            i++;
    }
    return 0;
}

/* An entry translates only `bytes` of a huge page, which reduces the reach. */
static void mark_splintered(struct curve_levels *curve, uint64_t bytes)
{
    double part = (double)bytes / (double)curve->page->page_bytes;
    for (size_t i = 0; i < curve->tlb_count; i++) {
        note_add(&curve->rows[i].note, NOTE_SPLINTERED);
        curve->rows[i].bytes_min *= part;
        curve->rows[i].bytes_max *= part;
    }
}

/* ---- all of them ---- */

/* Adds the rows of one curve; `scattered` is the same curve on scattered page frames, or NULL. */
static void add_curve(const struct series *series, struct curve_levels *curve,
                      const struct curve_levels *scattered, struct boundaries *found,
                      struct tlb_findings *all)
{
    const struct page_curves *curves = &curve->curves;
    size_t before = found->count;
    curve->rows = &found->at[before];
    while (curve->tlb_count < curves->tlb_count) {
        all->interference = all->interference || curves->tlb[curve->tlb_count].held;
        page_curves_add_level(curves, curve->tlb_count++, found);
    }
    if (layout_is_even(curve->page->layout))
        name_rises(curve);
    else
        page_curves_add_caches(curves, found);
    if (scattered != NULL)
        drop_impossible(curve, scattered, found);
    curve->count = found->count - before;
    for (size_t i = 0; i < curve->count; i++) {
        curve->rows[i].code = is_code(curve->page);
        curve->rows[i].backing = curve->page->backing;
        if (curve->page->kernel->bypasses && i >= curve->tlb_count)
            note_add(&curve->rows[i].note, NOTE_L1_MAY_BE_BYPASSED);
    }
    if (is_code(curve->page))
        name_code(curve);
    if (scattered != NULL)
        compare_with_scattered(curve, scattered, all);
    if (curve->page->backing->huge) {
        uint64_t bytes = tlb_levels_splinter(series, curve->page);
        if (bytes > 0)
            mark_splintered(curve, all->splinter_bytes = bytes);
    }
}

/* For a curve on contiguous page frames, the matching curve on scattered ones, judged earlier; or
 * NULL. */
static const struct curve_levels *scattered_of(const struct curve_levels *curves, size_t count,
                                               const struct point *page)
{
    for (size_t i = 0; i < count && page->backing->contiguous; i++)
        if (curves[i].page->backing->scattered && curves[i].page->kernel == page->kernel &&
            curves[i].page->page_bytes == page->page_bytes)
            return &curves[i];
    return NULL;
}

/* Adds the first level of a sweep that ended before its curve, from its moments. */
static void add_counted(const struct series *series, struct boundaries *found)
{
    if (series->moment_count == 0)
        return;
    const struct point *like = &series->moments[0].point;
    struct counted counted = counted_of_series(series, like);
    struct level level;
    if (!laps_first_level(&counted, &level))
        return;
    struct boundary *b = boundary_add(found, is_code(like) ? STRUCTURE_ITLB : STRUCTURE_DTLB, 1,
                                      "control");
    b->code = is_code(like);
    b->backing = like->backing;
    boundary_set_level(b, &level, (double)like->page_bytes);
    boundary_set_step(b, counted.pages.hit_ns, level.knee.step_ns);
}

struct tlb_findings tlb_levels_find(const struct series *series, struct boundaries *found)
{
    const struct point *pages[PAGE_CURVES_MAX];
    struct curve_levels curves[PAGE_CURVES_MAX];
    struct tlb_findings all = {0};
    size_t count = page_curves_points(series, pages);
    if (count == 0)
        add_counted(series, found);
    for (size_t i = 0; i < count; i++) {
        curves[i] = (struct curve_levels){.page = pages[i],
                                          .curves = page_curves_of(series, pages[i])};
        add_curve(series, &curves[i], scattered_of(curves, i, pages[i]), found, &all);
    }
    for (size_t i = 0; i < count; i++)
        page_curves_free(&curves[i].curves);
    return all;
}
