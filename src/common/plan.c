/* plan.c: samples in, the points still worth measuring out. */
#include "plan.h"
#include "control.h"
#include "error.h"
#include "kernel.h"
#include "layout.h"
#include "options.h"
#include <math.h>
#include <stdlib.h>

enum {
    PAGES_LEAST = 4,
    PAGES_MOST = 16384, /* four times the largest TLB that we know of */
    PACKED_BEYOND = 4,  /* `packed` goes on further, to see the cache that `page` runs into early */
    PER_OCTAVE = 4,
    PASSES_COARSE = 5,
    PASSES_NOISY = 15, /* of a point that scatters */
    PASSES_REFINED = 7,
    PASSES_CONFIRMED = 15, /* around a knee */
    PASSES_MOST = 81,
    CHEAP_PAGES = 1024, /* up to here a sample takes a fraction of a millisecond */
    PASSES_GRID = 7,
    DIVISIONS = 8
};

/* Bracket of a knee above the first level of the TLB, and of a cache, as a part of its size. */
static const double tlb_bracket = 0.01, cache_bracket = 0.05;

/* Neighbouring sizes on a gradual step, whose shape tells the capacity. */
static const double gradual_ratio = 1.03;

/* A point is known well enough when its error is below this part of a load's time, or (around a
 * knee) of the step: one page too many in one set of a 16-way TLB of 2048 entries shows 1/120. */
static const double share_known = 0.02, step_known = 1.0 / 120;

/* A point and how many samples it should have. */
struct wish {
    struct point point;
    uint64_t have, want;
};

struct batch {
    const struct plan_options *options;
    struct series *series;
    struct wish *wishes;
    size_t count, room;
};

struct plan_options plan_defaults(uint64_t page_bytes, uint64_t line_bytes)
{
    struct plan_options o = {.kind = PLAN_TLB,
                             .kernel = &kernels[0],
                             .backing = &backings[0],
                             .spacing = page_bytes,
                             .page_bytes = page_bytes,
                             .line_bytes = line_bytes};
    o.pages.values = allocate(2, sizeof *o.pages.values);
    o.pages.count = 2;
    o.pages.values[0] = PAGES_LEAST;
    o.pages.values[1] = PAGES_MOST;
    return o;
}

/* ---- wishes ---- */

static void wish(struct batch *batch, const struct layout *layout, uint64_t pages, enum role role,
                 uint64_t want)
{
    const struct plan_options *o = batch->options;
    struct wish w = {.want = o->samples > 0 ? o->samples : want};
    w.point = (struct point){
        .pages = pages,
        .spacing = option_spacing(o->spacing, layout, o->page_bytes, o->line_bytes),
        .page_bytes = o->page_bytes,
        .layout = layout,
        .backing = o->backing,
        .kernel = o->kernel,
        .role = role};
    const struct group *group = series_find(batch->series, &w.point);
    if (group != NULL) {
        w.have = group->count;
        w.point.role = group->point.role;
    }
    if (w.have >= w.want)
        return;
    for (size_t i = 0; i < batch->count; i++) /* wished for twice: the larger number counts */
        if (batch->wishes[i].point.pages == pages && batch->wishes[i].point.layout == layout) {
            batch->wishes[i].want = w.want > batch->wishes[i].want ? w.want : batch->wishes[i].want;
            return;
        }
    if (batch->count == batch->room) {
        batch->room = batch->room > 0 ? 2 * batch->room : 64;
        batch->wishes = reallocate(batch->wishes, batch->room, sizeof *batch->wishes);
    }
    batch->wishes[batch->count++] = w;
}

static void wish_both(struct batch *batch, uint64_t pages, enum role role, uint64_t want)
{
    wish(batch, layout_find("page", 4), pages, role, want);
    wish(batch, layout_find("packed", 6), pages, role, want);
}

static void wish_packed(struct batch *batch, uint64_t pages, enum role role, uint64_t want)
{
    wish(batch, layout_find("packed", 6), pages, role, want);
}

/* Turns the wishes into points: pass after pass over all of them, so that drift hits all alike. */
static size_t take_turns(struct batch *batch, struct point **points)
{
    size_t total = 0, n = 0;
    uint64_t passes = 0;
    for (size_t i = 0; i < batch->count; i++) {
        uint64_t missing = batch->wishes[i].want - batch->wishes[i].have;
        total += missing;
        passes = missing > passes ? missing : passes;
    }
    *points = allocate(total, sizeof **points);
    for (uint64_t pass = 0; pass < passes; pass++)
        for (size_t i = 0; i < batch->count; i++) {
            const struct wish *w = &batch->wishes[i];
            if (w->have + pass >= w->want)
                continue;
            (*points)[n] = w->point;
            (*points)[n++].sample = w->have + pass;
        }
    free(batch->wishes);
    return n;
}

/* ---- the TLB ---- */

/* Sizes spaced evenly on a log scale, both ends included. */
static void wish_coarse(struct batch *batch, uint64_t from, uint64_t to,
                        void (*wish_at)(struct batch *, uint64_t, enum role, uint64_t))
{
    uint64_t last = 0;
    for (int step = 0; last < to; step++) {
        double size = (double)from * exp2((double)step / PER_OCTAVE);
        uint64_t pages = size < (double)to ? (uint64_t)(size + 0.5) : to;
        if (pages > last)
            wish_at(batch, pages, ROLE_SWEEP, PASSES_COARSE);
        last = pages;
    }
}

/* Sizes along a gradual step, wherever its neighbours are far apart. */
static void wish_gradual(struct batch *batch, const struct curve *curve, const struct knee *knee)
{
    for (size_t i = knee->before; i < knee->end && knee->gradual; i++) {
        double low = curve->at[i].pages, high = curve->at[i + 1].pages;
        double parts = ceil(log(high / low) / log(gradual_ratio));
        for (int k = 1; k < (int)parts; k++)
            wish_both(batch, (uint64_t)(low * pow(high / low, k / parts) + 0.5), ROLE_REFINE,
                      PASSES_REFINED);
    }
}

/* The seven sizes that divide the bracket of a knee into eighths; false when it is tight already.
 */
static bool wish_between(struct batch *batch, const struct curve *curve, const struct knee *knee,
                         double tight,
                         void (*wish_at)(struct batch *, uint64_t, enum role, uint64_t))
{
    double low = curve->at[knee->before].pages, high = curve->at[knee->after].pages;
    uint64_t last = (uint64_t)low;
    if (high - low <= tight)
        return false;
    for (int i = 1; i < DIVISIONS; i++) {
        uint64_t pages = (uint64_t)(low + (high - low) * i / DIVISIONS + 0.5);
        if (pages > last && pages < (uint64_t)high)
            wish_at(batch, pages, ROLE_REFINE, PASSES_REFINED);
        last = pages;
    }
    return true;
}

/* The samples that a point should have for its error to fall below `known`: half as many again
 * until it does, `most` at the most (fewer where a sample takes long: steps are large there). */
static uint64_t samples_for(const struct curve_point *p, double known, uint64_t most)
{
    uint64_t more = p->samples + (p->samples + 1) / 2;
    if (p->pages > CHEAP_PAGES)
        most = (uint64_t)fmax((double)most * CHEAP_PAGES / p->pages, PASSES_CONFIRMED);
    if (p->error <= known || p->samples >= most)
        return p->samples;
    return more < most ? more : most;
}

/* More samples where the answer hangs: the points around a knee get as many as the worst of them
 * needs to be known to a small part of the step. */
static void wish_certainty(struct batch *batch, const struct curve *curve, const struct knee *knee)
{
    size_t first = knee->before > 3 ? knee->before - 3 : 0;
    size_t last = knee->after + 2 < curve->count ? knee->after + 2 : curve->count - 1;
    uint64_t want = PASSES_CONFIRMED;
    for (size_t i = first; i <= last; i++) {
        uint64_t need = samples_for(&curve->at[i], step_known * knee->step_ns, PASSES_MOST);
        want = need > want ? need : want;
    }
    for (size_t i = first; i <= last; i++)
        wish_both(batch, (uint64_t)curve->at[i].pages, ROLE_SWEEP, want);
}

/* And elsewhere, where a point scatters. */
static void wish_precision(struct batch *batch, const struct curve *curve)
{
    for (size_t i = 0; i < curve->count; i++) {
        const struct curve_point *p = &curve->at[i];
        wish_both(batch, (uint64_t)p->pages, ROLE_SWEEP,
                  samples_for(p, share_known * p->load_ns, PASSES_NOISY));
    }
}

static void plan_tlb(struct batch *batch)
{
    const struct range *pages = &batch->options->pages;
    uint64_t from = pages->values[0], to = pages->values[pages->count - 1];
    wish_coarse(batch, from, to, wish_both);
    if (to <= UINT64_MAX / PACKED_BEYOND)
        wish_coarse(batch, to, PACKED_BEYOND * to, wish_packed);
    if (batch->count > 0)
        return;
    const struct plan_options *o = batch->options;
    struct point page = {.layout = layout_find("page", 4),
                         .spacing = o->spacing,
                         .page_bytes = o->page_bytes,
                         .backing = o->backing,
                         .kernel = o->kernel};
    struct control control = control_analyse(batch->series, &page);
    for (size_t level = 0; level < control.tlb_count; level++) {
        const struct knee *knee = &control.tlb[level];
        double before = control.difference.at[knee->before].pages;
        double tight = level == 0 ? 1 : fmax(1, floor(tlb_bracket * before));
        if (!wish_between(batch, &control.difference, knee, tight, wish_both))
            wish_gradual(batch, &control.difference, knee);
    }
    for (size_t level = 0; level < control.cache_count; level++) {
        const struct knee *knee = &control.cache[level];
        double tight = cache_bracket * control.packed.at[knee->before].pages;
        wish_between(batch, &control.packed, knee, tight, wish_packed);
    }
    if (batch->count == 0 && batch->options->samples == 0) {
        for (size_t level = 0; level < control.tlb_count; level++)
            wish_certainty(batch, &control.difference, &control.tlb[level]);
        wish_precision(batch, &control.difference);
    }
    control_free(&control);
}

/* ---- the others ---- */

static void plan_grid(struct batch *batch)
{
    const struct plan_options *o = batch->options;
    for (size_t i = 0; i < o->pages.count; i++)
        for (int l = 0; l < PLAN_LAYOUTS_MOST && o->layouts[l] != NULL; l++)
            wish(batch, o->layouts[l], o->pages.values[i], ROLE_SWEEP, PASSES_GRID);
}

size_t plan_next(const struct plan_options *options, struct series *series, struct point **points)
{
    struct batch batch = {.options = options, .series = series};
    series_sort(series);
    if (options->kind == PLAN_DENSITY)
        return density_next(&options->density, series, points);
    if (options->kind == PLAN_GRID)
        plan_grid(&batch);
    else
        plan_tlb(&batch);
    return take_turns(&batch, points);
}
