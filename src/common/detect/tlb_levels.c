/* tlb_levels.c: the boundaries of one series that holds curves of several kinds. */
#include "detect/tlb_levels.h"
#include "access/kernel.h"
#include "access/layout.h"
#include "curve/interference.h"
#include "curve/soft_knee.h"
#include <math.h>
#include <string.h>

/* A level that takes so many times the pages holds several of them in an entry; and what takes less
 * than this part of them is none. [prior] */
static const double ratio_least = 1.5, ratio_possible = 0.8;

/* Confidence is low below so many errors of a rise, and high up to this part of its size between
 * the sizes that bracket it. [significance] */
static const double errors_medium = 6, width_high = 0.01;

/* A curve, its levels, and the rows that they gave: those of the TLB first. */
struct curve_levels {
    const struct point *page;
    struct control control;
    struct knee levels[KNEES_MOST];
    struct boundary *rows;
    size_t tlb_count, count;
};

static bool is_code(const struct point *point)
{
    return point->kernel == &kernels[KERNEL_CODE];
}

static bool is_tlb(const struct boundary *b)
{
    return b->structure != STRUCTURE_CACHE;
}

/* ---- rises ---- */

static enum confidence judge_rise(const struct control *control, const struct knee *rise,
                                  const struct boundary *b)
{
    double gap = b->entries_max - b->entries_min;
    if (control->alone || rise->significance < errors_medium || rise->reaches_end)
        return CONFIDENCE_LOW;
    return gap > width_high * b->entries ? CONFIDENCE_MEDIUM : CONFIDENCE_HIGH;
}

static void add_rise(const struct control *control, const struct knee *rise, size_t level,
                     struct boundaries *found)
{
    const struct curve_point *at = control->difference.at;
    struct boundary *b = boundary_add(found, STRUCTURE_DTLB, (int)level, "control");
    if (b == NULL)
        return;
    double foot = soft_knee_foot(&control->difference, rise);
    b->entries = ceil(foot);
    /* where few sets are too small at first, the foot is bent the other way and lies lower yet */
    b->entries_min = fmax(1, ceil(foot - fmax(0, at[rise->before].pages - foot - 1) / 2));
    b->entries_max = at[rise->after].pages - 1;
    b->bytes_min = b->entries_min * control->page_bytes;
    b->bytes_max = b->entries_max * control->page_bytes;
    b->plateau_ns = at[rise->before].load_ns;
    b->step_ns = rise->step_ns;
    b->step_percent = 100 * rise->step_ns / b->plateau_ns;
    b->confidence = judge_rise(control, rise, b);
    if (control->alone)
        note_add(&b->note, NOTE_NO_CONTROL);
    if (rise->reaches_end)
        note_add(&b->note, NOTE_AT_END_OF_SWEEP);
}

static const struct boundary *level_of(const struct boundary *rows, size_t count, size_t level)
{
    for (size_t i = 0; i < count; i++)
        if (is_tlb(&rows[i]) && rows[i].level == (int)level)
            return &rows[i];
    return NULL;
}

/* On contiguous frames a level that holds one page an entry has a step, and is told from that. */
static bool is_step(const struct boundary *row, const struct boundary *scattered)
{
    return row != NULL && (scattered == NULL || row->entries < ratio_least * scattered->entries);
}

/* What takes much fewer pages than the same level on scattered frames, or rises from another
 * plateau, is a cache's. */
static bool is_possible(const struct boundary *b, const struct knee *knee,
                        const struct boundary *scattered, const struct knee *other)
{
    return b->entries_max >= ratio_possible * scattered->entries_min &&
           fabs(knee->plateau_ns - other->plateau_ns) <= other->step_ns / 2;
}

/* Adds level k (from 0) of a curve whose rises need not be steps; false when there is none. */
static bool tell_level(struct curve_levels *family, const struct curve_levels *scattered, size_t k,
                       const struct boundaries *steps, const struct knee *rise,
                       struct boundaries *found)
{
    const struct boundary *step = level_of(steps->at, steps->count, k + 1), *other = NULL;
    if (scattered != NULL)
        other = level_of(scattered->rows, scattered->tlb_count, k + 1);
    bool takes_step = !is_code(family->page) && is_step(step, other);
    bool takes_rise = !takes_step && rise != NULL && (scattered == NULL || other != NULL);
    if (found->count == BOUNDARIES_ROOM || !(takes_step || takes_rise))
        return false;
    if (takes_step)
        found->at[found->count++] = *step;
    else
        add_rise(&family->control, rise, k + 1, found);
    const struct knee *knee = takes_step ? &family->control.tlb[k] : rise;
    if (other != NULL && !is_possible(&found->at[found->count - 1], knee, other,
                                      &scattered->levels[other - scattered->rows])) {
        found->count--;
        return false;
    }
    family->levels[family->tlb_count++] = *knee;
    return true;
}

static void tell_rises(struct curve_levels *family, const struct curve_levels *scattered,
                       struct boundaries *found)
{
    struct boundaries steps = {.count = 0};
    struct knee rises[KNEES_MOST];
    size_t count = soft_knee_find(&family->control.difference, rises), k = 0;
    control_boundaries(&family->control, &steps);
    while (k < KNEES_MOST &&
           tell_level(family, scattered, k, &steps, k < count ? &rises[k] : NULL, found))
        k++;
    for (size_t i = 0; i < steps.count && found->count < BOUNDARIES_ROOM; i++)
        if (!is_tlb(&steps.at[i]))
            found->at[found->count++] = steps.at[i];
}

/* ---- instructions ---- */

void tlb_levels_name_code(struct boundary *rows, size_t count)
{
    size_t tlbs = 0;
    double before = 0;
    for (; tlbs < count && is_tlb(&rows[tlbs]); tlbs++)
        rows[tlbs].structure = STRUCTURE_ITLB;
    for (size_t i = 0; i + 1 < tlbs; i++)
        before += rows[i].step_ns;
    bool walks = tlbs > 1 && rows[tlbs - 1].step_ns > before &&
                 !note_has(&rows[tlbs - 1].note, NOTE_GRADUAL);
    for (size_t i = 1; i < tlbs; i++) {
        bool walk = walks && i + 1 == tlbs;
        boundary_at_most(&rows[i], CONFIDENCE_MEDIUM);
        if (walks)
            rows[i].level = walk ? 2 : 0;
        if (!walk)
            note_add(&rows[i].note, NOTE_MAY_BE_FRONT_END);
    }
}

/* ---- contiguous page frames ---- */

/* Whether N pages to an entry explain both ranges. */
static bool explains(double n, const struct boundary *contiguous, const struct boundary *scattered)
{
    return contiguous->entries_max >= n * (scattered->entries_min - 1) + 1 &&
           contiguous->entries_min <= n * scattered->entries_max;
}

bool tlb_levels_coalesce(struct boundary *contiguous, const struct boundary *scattered)
{
    double ratio = contiguous->entries / scattered->entries, n = round(ratio);
    if (!(ratio >= ratio_least) || contiguous->entries_min <= scattered->entries_max)
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
    boundary_at_most(contiguous, CONFIDENCE_MEDIUM);
    return true;
}

static void compare_families(struct curve_levels *contiguous, const struct curve_levels *scattered,
                             struct tlb_levels *all)
{
    for (size_t i = 0; i < contiguous->tlb_count; i++) {
        struct boundary *b = &contiguous->rows[i];
        const struct boundary *s = level_of(scattered->rows, scattered->count, (size_t)b->level);
        if (s == NULL)
            continue;
        all->compared = true;
        all->coalesced = tlb_levels_coalesce(b, s) || all->coalesced;
    }
}

/* ---- huge pages ---- */

/* A curve of layout page with several nodes in each huge page, beside this one of huge pages. */
static bool is_probe(const struct point *p, const struct point *huge)
{
    return p->backing == huge->backing && p->kernel == huge->kernel &&
           p->page_bytes == huge->page_bytes && p->spacing < p->page_bytes;
}

uint64_t tlb_levels_splinter(const struct series *series, const struct point *huge)
{
    for (size_t i = 0; i < series->count; i++) {
        const struct point *p = &series->groups[i].point;
        struct knee rises[KNEES_MOST];
        if (!group_layout(&series->groups[i])->per_page || !is_probe(p, huge))
            continue;
        struct curve curve = curve_control(series, p);
        while (curve.count > 0 &&
               curve.at[curve.count - 1].pages * (double)p->spacing > (double)p->page_bytes)
            curve.count--;
        bool splintered = soft_knee_find(&curve, rises) > 0;
        curve_free(&curve);
        if (splintered)
            return p->spacing;
        while (i + 1 < series->count && point_same_curve(&series->groups[i + 1].point, p))
            i++;
    }
    return 0;
}

/* An entry translates what the hypervisor has in one piece, and so much less is the reach. */
static void mark_splintered(struct curve_levels *family, uint64_t bytes)
{
    double part = (double)bytes / (double)family->page->page_bytes;
    for (size_t i = 0; i < family->tlb_count; i++) {
        note_add(&family->rows[i].note, NOTE_SPLINTERED);
        boundary_at_most(&family->rows[i], CONFIDENCE_MEDIUM);
        family->rows[i].bytes_min *= part;
        family->rows[i].bytes_max *= part;
    }
}

/* ---- all of them ---- */

static bool mark_interference(const struct series *series, bool unsure_of_sibling,
                              struct curve_levels *family)
{
    const struct curve *curve = &family->control.difference;
    bool steps = !is_code(family->page) && family->page->backing->scattered, interference = false;
    for (size_t k = 0; k < family->tlb_count; k++) {
        bool rises_long = unsure_of_sibling && steps && k > 0 &&
                          interference_long_rise(curve, &family->levels[k]);
        if (!rises_long && !interference_two_states(series, family->page, curve, family->levels,
                                                    family->tlb_count, k))
            continue;
        note_add(&family->rows[k].note, NOTE_INTERFERENCE);
        boundary_at_most(&family->rows[k], CONFIDENCE_MEDIUM);
        interference = true;
    }
    return interference;
}

static void tell_steps(struct curve_levels *family, struct boundaries *found)
{
    size_t before = found->count;
    control_boundaries(&family->control, found);
    for (size_t i = before; i < found->count && is_tlb(&found->at[i]); i++)
        family->levels[family->tlb_count++] = family->control.tlb[found->at[i].level - 1];
}

/* The rows of one curve; `scattered` is the same on scattered frames, or NULL. */
static void judge(const struct series *series, struct curve_levels *family,
                  const struct curve_levels *scattered, bool unsure_of_sibling,
                  struct boundaries *found, struct tlb_levels *all)
{
    bool contiguous = family->page->backing->contiguous;
    size_t before = found->count;
    family->rows = &found->at[before];
    family->control = control_analyse(series, family->page);
    if (contiguous || is_code(family->page))
        tell_rises(family, scattered, found);
    else
        tell_steps(family, found);
    family->count = found->count - before;
    for (size_t i = 0; i < family->count; i++) {
        family->rows[i].code = is_code(family->page);
        family->rows[i].backing = family->page->backing;
    }
    all->interference = mark_interference(series, unsure_of_sibling, family) || all->interference;
    if (is_code(family->page))
        tlb_levels_name_code(family->rows, family->tlb_count);
    if (scattered != NULL)
        compare_families(family, scattered, all);
    if (family->page->backing->huge) {
        uint64_t bytes = tlb_levels_splinter(series, family->page);
        if (bytes > 0)
            mark_splintered(family, all->splinter_bytes = bytes);
    }
    control_free(&family->control);
}

/* The curve on scattered frames beside one on contiguous ones. It was told before. */
static const struct curve_levels *scattered_of(const struct curve_levels *families, size_t count,
                                               const struct point *page)
{
    for (size_t i = 0; i < count && page->backing->contiguous; i++)
        if (families[i].page->backing->scattered && families[i].page->kernel == page->kernel &&
            families[i].page->page_bytes == page->page_bytes)
            return &families[i];
    return NULL;
}

struct tlb_levels tlb_levels_boundaries(const struct series *series, bool unsure_of_sibling,
                                        struct boundaries *found)
{
    const struct point *pages[CONTROLS_MOST];
    struct curve_levels families[CONTROLS_MOST];
    struct tlb_levels all = {0};
    size_t count = control_curves(series, pages);
    for (size_t i = 0; i < count; i++) {
        families[i] = (struct curve_levels){.page = pages[i]};
        judge(series, &families[i], scattered_of(families, i, pages[i]), unsure_of_sibling, found,
              &all);
    }
    return all;
}
