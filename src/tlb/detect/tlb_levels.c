/* tlb_levels.c: the boundaries of a series with several curves. */
#include "tlb/detect/tlb_levels.h"
#include "access/kernel.h"
#include "access/layout.h"
#include "tlb/detect/caches.h"
#include "tlb/detect/page_curves.h"
#include <math.h>

/* On contiguous page frames an entry of a level holds several pages if the level's pages exceed
 * those on scattered frames by this ratio; below the second ratio the rise is not that level.
 * [prior] */
static const double ratio_min = 1.5, ratio_possible = 0.8;

/* ---- one curve ---- */

/* Adds the row of level k (from 0). An entry translates `splinter` bytes of a huge page; 0: all. */
static struct boundary *add_level(const struct page_curves *c, size_t k, uint64_t splinter,
                                  struct boundaries *found)
{
    const struct level *level = &c->tlb[k];
    const struct curve_point *before = &c->difference.at[level->knee.before];
    bool code = c->page.kernel->executes, even = layout_is_even(c->page.layout);
    bool front_end = code && !c->counted, doubtful = front_end || even;
    struct boundary *b = boundary_add(found, code ? STRUCTURE_ITLB : STRUCTURE_DTLB,
                                      doubtful ? 0 : (int)k + 1, "control");
    b->backing = c->page.backing;
    boundary_set_level(b, level, (double)(splinter > 0 ? splinter : c->page.page_bytes));
    boundary_set_step(b, c->difference.count > 0 ? before->load_ns : c->pages.hit_ns,
                      level->knee.step_ns);
    if (doubtful || c->alone)
        b->criteria = 0;
    if (even)
        b->entries = NAN;
    if (c->alone)
        note_add(&b->note, NOTE_NO_CONTROL);
    if (front_end)
        note_add(&b->note, NOTE_MAY_BE_FRONT_END);
    if (splinter > 0)
        note_add(&b->note, NOTE_SPLINTERED);
    return b;
}

/* The rise of cache k; on scattered page frames, of all from the second one on: random frames
 * spread it over octaves, so noise divides it. */
static struct knee cache_rise(const struct page_curves *c, size_t k)
{
    struct knee rise = c->cache[k];
    const struct knee *last = &c->cache[c->cache_count - 1];
    if (k > 0 && c->page.backing->scattered) {
        rise.gradual = rise.gradual || last->end > rise.end;
        rise.end = last->end;
        rise.reaches_end = last->reaches_end;
    }
    return rise;
}

static void add_caches(const struct page_curves *c, struct boundaries *found)
{
    size_t most = c->page.backing->scattered ? 2 : c->cache_count;
    if (c->page.kernel->executes || layout_is_even(c->page.layout)) /* the front end's rises, too */
        return;
    for (size_t k = 0; k < c->cache_count && k < most; k++) {
        struct knee rise = cache_rise(c, k);
        struct boundary *b = caches_add(found, &c->packed, &rise, (int)k + 1, "control");
        b->backing = c->page.backing;
        b->criteria = 0;
        if (c->page.kernel->bypasses)
            note_add(&b->note, NOTE_L1_MAY_BE_BYPASSED);
    }
}

/* ---- contiguous page frames ---- */

/* The row of the same level on scattered page frames; NULL: there is none. */
static const struct boundary *scattered_row(const struct boundaries *found,
                                            const struct boundary *row)
{
    struct boundary like = *row;
    like.backing = &backings[BACKING_SCATTERED];
    return row->level > 0 ? boundaries_find(found, &like) : NULL;
}

/* A rise with far fewer pages than the same level on scattered page frames, or from another
 * plateau, belongs to a cache. */
static bool is_possible(const struct boundary *b, const struct boundary *scattered)
{
    return !(b->entries_max < ratio_possible * scattered->entries_min) &&
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
    double least = contiguous->entries_min / scattered->entries_max;
    if (!((isnan(ratio) ? least : ratio) >= ratio_min) || least <= 1)
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
static bool probes_pages_of(const struct group *group, const struct point *huge)
{
    const struct point *p = &group->point;
    return group_layout(group)->per_page && p->backing == huge->backing &&
           p->kernel == huge->kernel && p->page_bytes == huge->page_bytes &&
           p->spacing < p->page_bytes;
}

uint64_t tlb_levels_splinter(const struct series *series, const struct point *huge)
{
    struct knee knees[KNEES_MAX];
    size_t i = 0;
    while (i < series->count && !probes_pages_of(&series->groups[i], huge))
        i++;
    if (i == series->count)
        return 0;
    const struct point *probe = &series->groups[i].point;
    struct curve curve = curve_difference(series, probe);
    while (curve.count > 0 &&
           curve.at[curve.count - 1].pages * curve.spacing > (double)probe->page_bytes)
        curve.count--;
    bool splintered = knee_find(&curve, knees) > 0;
    curve_free(&curve);
    return splintered ? probe->spacing : 0;
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
        struct boundary *b = add_level(&curves, k, splinter, found);
        const struct boundary *other = compares ? scattered_row(found, b) : NULL;
        if (other != NULL && is_possible(b, other)) {
            tlb_levels_coalesce(b, other);
        } else if (compares) {
            found->count = before;
            break;
        }
    }
    add_caches(&curves, found);
    page_curves_free(&curves);
}

void tlb_levels_find(const struct series *series, struct boundaries *found)
{
    const struct point *pages[PAGE_CURVES_MAX];
    size_t count = page_curves_points(series, pages);
    if (count == 0 && series->moment_count > 0) /* the sweep ended before its curve */
        pages[count++] = &series->moments[0].point;
    for (size_t i = 0; i < count; i++) {
        bool compares = i > 0 && pages[i]->backing->contiguous &&
                        pages[i - 1]->backing->scattered &&
                        pages[i - 1]->kernel == pages[i]->kernel;
        add_curve(series, pages[i], compares, found);
    }
}
