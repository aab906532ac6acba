/* tlb_levels.c: the boundaries of a series with several curves. */
#include "tlb/detect/tlb_levels.h"
#include "access/kernel.h"
#include "access/layout.h"
#include "tlb/detect/page_curves.h"
#include <math.h>

/* On contiguous page frames an entry of a level holds several pages if the level's pages exceed
 * those on scattered frames by this ratio; below the second ratio the rise is not that level.
 * [prior] */
static const double ratio_min = 1.5, ratio_possible = 0.8;

/* ---- contiguous page frames ---- */

/* The row of the same level on scattered page frames; NULL: there is none. */
static const struct boundary *scattered_row(const struct boundaries *found,
                                            const struct boundary *like)
{
    for (size_t i = 0; i < found->count; i++) {
        const struct boundary *b = &found->at[i];
        if (b->backing->scattered && b->structure == like->structure && b->level > 0 &&
            b->level == like->level)
            return b;
    }
    return NULL;
}

/* A rise with far fewer pages than the same level on scattered page frames, or from another
 * plateau, belongs to a cache. */
static bool is_possible(const struct boundary *b, const struct boundary *scattered)
{
    return b->entries_max >= ratio_possible * scattered->entries_min &&
           fabs(b->plateau_ns - scattered->plateau_ns) <= scattered->step_ns / 2;
}

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

/* ---- huge pages ---- */

/* Whether a curve has several nodes in each huge page of the curve `huge`. */
static bool probes_pages_of(const struct point *p, const struct point *huge)
{
    return p->backing == huge->backing && p->kernel == huge->kernel &&
           p->page_bytes == huge->page_bytes && p->spacing < p->page_bytes;
}

uint64_t tlb_levels_splinter(const struct series *series, const struct point *huge)
{
    struct knee knees[KNEES_MAX];
    for (size_t i = 0; i < series->count; i++) {
        const struct point *p = &series->groups[i].point;
        if (!group_layout(&series->groups[i])->per_page || !probes_pages_of(p, huge))
            continue;
        struct curve curve = curve_difference(series, p);
        while (curve.count > 0 &&
               curve.at[curve.count - 1].pages * curve.spacing > (double)p->page_bytes)
            curve.count--;
        bool splintered = knee_find(&curve, knees) > 0;
        curve_free(&curve);
        if (splintered)
            return p->spacing;
        while (i + 1 < series->count && point_same_curve(&series->groups[i + 1].point, p))
            i++;
    }
    return 0;
}

/* ---- all of them ---- */

/* Adds the rows of one curve. Of one that `compares` with another on scattered page frames, levels
 * end at the first that the other lacks. */
static void add_curve(const struct series *series, const struct point *page, bool compares,
                      struct boundaries *found)
{
    struct page_curves curves = page_curves_of(series, page);
    uint64_t splinter = page->backing->huge ? tlb_levels_splinter(series, page) : 0;
    for (size_t k = 0; k < curves.tlb_count; k++) {
        size_t before = found->count;
        struct boundary *b = page_curves_add_level(&curves, k, splinter, found);
        const struct boundary *other = compares ? scattered_row(found, b) : NULL;
        if (other != NULL && is_possible(b, other)) {
            tlb_levels_coalesce(b, other);
        } else if (compares) {
            found->count = before;
            break;
        }
    }
    page_curves_add_caches(&curves, found);
    page_curves_free(&curves);
}

void tlb_levels_find(const struct series *series, struct boundaries *found)
{
    const struct point *pages[PAGE_CURVES_MAX];
    size_t count = page_curves_points(series, pages);
    if (count == 0 && series->moment_count > 0) /* the sweep ended before its curve */
        pages[count++] = &series->moments[0].point;
    for (size_t i = 0; i < count; i++)
        add_curve(series, pages[i],
                  i > 0 && pages[i]->backing->contiguous && pages[i - 1]->backing->scattered &&
                      pages[i - 1]->kernel == pages[i]->kernel,
                  found);
}
