/* tlb.c: the points that show the levels of a TLB and the cost of a page walk. */
#include "access/kernel.h"
#include "access/layout.h"
#include "tlb/curve/jitter.h"
#include "tlb/detect/tlb_levels.h"
#include "tlb/plan/presets.h"
#include <math.h>

/* Sizes, and samples of a point (SAMPLES_…): the duration of a sweep against its precision. They
 * are documented in plan(1). [tuned: unknown] */
enum {
    PACKED_BEYOND = 4, /* × the largest size of `page` */
    PER_OCTAVE = 4,
    SAMPLES_COARSE = 5,
    SAMPLES_FEW = 3, /* of a long chain */
    LONG_PAGES = 4096,
    SAMPLES_NOISY = 15, /* for a point whose samples scatter */
    SAMPLES_REFINED = 7,
    SAMPLES_CONFIRMED = 15, /* around a knee */
    SAMPLES_BEND = 40,      /* maximum around a bend */
    SAMPLES_MOST = 81,
    SAMPLES_LONG = 24,       /* maximum for a long chain */
    SAMPLES_UNSETTLED = 160, /* if a neighbour disturbs a short chain, samples double up to this
                                number; also the maximum if noise is two-sided */
    SHORT_PAGES = 512,
    CHEAP_PAGES = 1024, /* up to here a sample takes a fraction of a millisecond */
    DIVISIONS = 8,
    BEND_SIZES = 32, /* sizes per octave around a bend; farther away every fourth */
    BEND_APART = 4,
    BEHIND = 2,          /* points beyond a knee to measure again */
    SIZES_MOST = 256,    /* limits the refinement of knees that noise moves about */
    SPLINTERS_LEAST = 8, /* base pages on huge ones */
    SPLINTERS_MOST = 4096,
    SPLINTERED_MOST = 128, /* huge pages, while they are or may be splintered */
    WALK_FROM = 4,
    WALK_LEAST = 16, /* nodes that must fit into the address space */
    WALK_MOST = 2048 /* pages with one table each */
};

/* Widths of brackets, relative to the size: of a knee above the first TLB level, and of a cache's
 * knee. [prior] */
static const double tlb_bracket = 0.01, cache_bracket = 0.05;

/* Close sizes around a bend lie within these fractions of its capacity, which is well known if its
 * range is narrower than `bend_width`. [prior] */
static const double bend_near[] = {0.9, 1.15}, bend_width = 0.03;

/* Maximum ratio of neighbouring sizes on a step. [tuned: unknown] */
static const double gradual_ratio = 1.03, sharp_ratio = 1.015;

/* A step has shown its shape by this multiple of its start; the rest is due to page tables that
 * leave the caches. [prior] */
static const double long_step = 2;

/* Minimum rise beyond a level, as a fraction of a load's time, worth re-examining.
 * [significance] */
static const double rises_least = 0.25;

/* A point is precise enough if its error is below share_known of a load's time or, around a knee,
 * below step_known of the step: one page too many in one set of a 16-way TLB of 2048 entries adds
 * 17 misses to 2049 loads, 1/120 of the step. [physics] */
static const double share_known = 0.02, step_known = 1.0 / 120;

/* Fractions of a step below which a point is on the plateau, and above which it is on the step.
 * [prior] */
static const double on_plateau = 0.02, on_step = 0.8;

/* Sizes spaced evenly on a log scale, both ends included. */
static void request_coarse(struct batch *batch, uint64_t from, uint64_t to,
                           void (*request_at)(struct batch *, uint64_t, enum role, uint64_t))
{
    uint64_t last = 0;
    for (int step = 0; last < to; step++) {
        double size = (double)from * exp2((double)step / PER_OCTAVE);
        uint64_t pages = size < (double)to ? (uint64_t)(size + 0.5) : to;
        if (pages > last)
            request_at(batch, pages, ROLE_SWEEP, pages > LONG_PAGES ? SAMPLES_FEW : SAMPLES_COARSE);
        last = pages;
    }
}

/* Sizes along a step that spans several, until neighbours are close: its shape gives the capacity.
 */
static void request_step(struct batch *batch, const struct curve *curve, const struct knee *knee)
{
    const double ratio = knee->gradual ? gradual_ratio : sharp_ratio;
    for (size_t i = knee->before; i < knee->end && knee->end > knee->after; i++) {
        double low = curve->at[i].pages, high = curve->at[i + 1].pages;
        if (low > long_step * curve->at[knee->after].pages)
            return;
        double parts = ceil(log(high / low) / log(ratio));
        for (int k = 1; k < (int)parts; k++)
            request_both(batch, (uint64_t)(low * pow(high / low, k / parts) + 0.5), ROLE_REFINE,
                         SAMPLES_REFINED);
    }
}

/* The seven sizes that divide the bracket of a knee into eighths. False if it is `tight` already.
 */
static bool request_between(struct batch *batch, const struct curve *curve, const struct knee *knee,
                            double tight,
                            void (*request_at)(struct batch *, uint64_t, enum role, uint64_t))
{
    double low = curve->at[knee->before].pages, high = curve->at[knee->after].pages;
    uint64_t last = (uint64_t)low;
    if (high - low <= tight)
        return false;
    for (int i = 1; i < DIVISIONS; i++) {
        uint64_t pages = (uint64_t)(low + (high - low) * i / DIVISIONS + 0.5);
        if (pages > last && pages < (uint64_t)high)
            request_at(batch, pages, ROLE_REFINE, SAMPLES_REFINED);
        last = pages;
    }
    return true;
}

/* Whether the noise of `page` is two-sided (jitter.h). */
static bool has_jitter(const struct batch *batch)
{
    struct point page = batch_page(batch);
    const struct point *packed = curve_packed(batch->series, &page);
    return packed != NULL && jitter_of(batch->series, &page, packed) > 0;
}

/* The number of samples that a point should have: half as many again while its error is above
 * `known`, up to `most` (fewer above CHEAP_PAGES, where samples take long; more if the curve
 * `jitters`, since all samples improve a mean). */
static uint64_t samples_for(const struct curve_point *p, double known, uint64_t most, bool jitters)
{
    uint64_t more = half_again(p->samples);
    bool slow = p->pages > CHEAP_PAGES;
    if (jitters)
        most = slow ? SAMPLES_MOST : SAMPLES_UNSETTLED;
    else if (slow && most > SAMPLES_LONG)
        most = SAMPLES_LONG;
    if (p->error <= known || p->samples >= most)
        return p->samples;
    return more < most ? more : most;
}

/* Whether a point lies neither on the plateau nor on the step: a neighbour may have held entries
 * during all of its samples. */
static bool is_half_way(const struct knee *knee, const struct curve_point *p)
{
    double part = (p->ns - knee->plateau_ns) / knee->step_ns;
    return part > on_plateau && part < on_step;
}

/* More samples around a knee: all its points get as many as the least precise of them needs. */
static void request_certainty(struct batch *batch, const struct curve *curve,
                              const struct knee *knee, bool jitters)
{
    size_t first = knee->before > 3 ? knee->before - 3 : 0;
    uint64_t want = SAMPLES_CONFIRMED;
    for (size_t i = first; i <= knee->after + BEHIND && i < curve->count; i++) {
        const struct curve_point *p = &curve->at[i];
        uint64_t need = samples_for(p, step_known * knee->step_ns, SAMPLES_MOST, jitters);
        if (is_half_way(knee, p) && p->pages <= SHORT_PAGES && p->samples < SAMPLES_UNSETTLED)
            need = 2 * p->samples;
        want = need > want ? need : want;
    }
    for (size_t i = first; i <= knee->after + BEHIND && i < curve->count; i++)
        request_both(batch, (uint64_t)curve->at[i].pages, ROLE_SWEEP, want);
}

/* Whether the curve keeps rising beyond its only level: noise may hide another one. */
static bool rises_on(const struct control *control)
{
    const struct curve_point *at = control->difference.at,
                             *last = at + control->difference.count - 1;
    return control->tlb_count == 1 &&
           last->ns - at[control->tlb[0].knee.end].ns > rises_least * last->load_ns;
}

/* More samples of points that scatter, up to the long tail of the last step; of all points if the
 * curve keeps rising or `jitters`, which may hide another level. */
static void request_precision(struct batch *batch, const struct control *control, bool jitters)
{
    const struct curve *curve = &control->difference;
    double last = INFINITY;
    if (control->tlb_count > 0 && !jitters && !rises_on(control))
        last = long_step * curve->at[control->tlb[control->tlb_count - 1].knee.after].pages;
    for (size_t i = 0; i < curve->count && curve->at[i].pages <= last; i++) {
        const struct curve_point *p = &curve->at[i];
        request_both(batch, (uint64_t)p->pages, ROLE_SWEEP,
                     samples_for(p, share_known * p->load_ns, SAMPLES_NOISY, jitters));
    }
}

/* The number of samples of a size. */
static uint64_t samples_at(const struct curve *curve, double pages)
{
    for (size_t i = 0; i < curve->count; i++)
        if (curve->at[i].pages == pages)
            return curve->at[i].samples;
    return 0;
}

/* Sizes around a bend, the same ones once its capacity is known better: close ones where its rise
 * starts, and some on the plateau and up the rise, none beyond the ends of the curve. Samples are
 * added while the range of the capacity is wide. */
static void request_bend(struct batch *batch, const struct curve *curve,
                         const struct fitted_level *level)
{
    double entries = level->entries, from = fmax(curve->at[0].pages, entries / 2),
           to = fmin(curve->at[curve->count - 1].pages, 2 * entries);
    bool wide = level->most - level->least > fmax(2, bend_width * entries);
    uint64_t most = entries > SHORT_PAGES ? SAMPLES_CONFIRMED : SAMPLES_BEND;
    for (int k = (int)ceil(BEND_SIZES * log2(from)); k <= BEND_SIZES * log2(to); k++) {
        double pages = round(exp2((double)k / BEND_SIZES)), part = pages / entries;
        if (k % BEND_APART != 0 && (part < bend_near[0] || part > bend_near[1]))
            continue;
        uint64_t want = half_again(samples_at(curve, pages));
        if (!wide || want < SAMPLES_REFINED)
            want = SAMPLES_REFINED;
        request_both(batch, (uint64_t)pages, ROLE_REFINE, want < most ? want : most);
    }
}

/* The levels of a curve that bends: kernel `code`, whose order changes every round, or frames that
 * a TLB entry may coalesce. */
static void request_bends(struct batch *batch, const struct control *control)
{
    if (!batch->like.kernel->executes && batch->like.backing->scattered)
        return;
    for (size_t k = 0; k < control->tlb_count; k++)
        request_bend(batch, &control->difference, &control->tlb[k]);
}

/* Tighter brackets of the knees. */
static void request_brackets(struct batch *batch, const struct control *control)
{
    for (size_t level = 0; level < control->tlb_count && !batch->like.kernel->executes; level++) {
        const struct knee *knee = &control->tlb[level].knee;
        double first = control->difference.at[knee->before].pages;
        double tight = level == 0 ? 1 : fmax(1, floor(tlb_bracket * first));
        if (!request_between(batch, &control->difference, knee, tight, request_both))
            request_step(batch, &control->difference, knee);
    }
    request_bends(batch, control);
    if (control->cache_count > 0) { /* the others rise over octaves */
        const struct knee *first = control->cache;
        double tight = cache_bracket * control->packed.at[first->before].pages;
        request_between(batch, &control->packed, first, tight, request_packed);
    }
}

/* A curve of `page` and its control: coarse, then refined around its knees, then more samples (for
 * code, around its bends). */
static void plan_curve(struct batch *batch, uint64_t from, uint64_t to)
{
    size_t before = batch->count;
    request_coarse(batch, from, to, request_both);
    if (batch->count > before)
        return;
    struct point page = batch_page(batch);
    struct control *control = analysis_curve(batch->analysis, &page);
    if (control->difference.count < SIZES_MOST)
        request_brackets(batch, control);
    if (batch->count == before && batch->options->samples == 0 && !batch->like.kernel->executes) {
        bool jitters = has_jitter(batch);
        for (size_t level = 0; level < control->tlb_count; level++)
            request_certainty(batch, &control->difference, &control->tlb[level].knee, jitters);
        request_precision(batch, control, jitters);
    }
}

/* Base pages on huge pages: if they miss the TLB like base pages, the hypervisor has splintered the
 * huge pages. */
static void plan_splinters(struct batch *batch)
{
    uint64_t spacing = batch->like.spacing;
    batch->like.spacing = batch->options->base_page_bytes;
    for (uint64_t pages = SPLINTERS_LEAST; pages <= SPLINTERS_MOST; pages *= 2)
        request_both(batch, pages, ROLE_SWEEP, SAMPLES_COARSE);
    batch->like.spacing = spacing;
}

/* Limits the sizes to SPLINTERED_MOST while huge pages are or may be splintered: larger ones would
 * waste memory, and time to clear it. */
static uint64_t bound_huge(struct batch *batch, uint64_t to)
{
    struct point huge = batch_page(batch);
    plan_splinters(batch);
    bool splintered = batch->count > 0 || tlb_levels_splinter(batch->series, &huge) > 0;
    return splintered && to > SPLINTERED_MOST ? SPLINTERED_MOST : to;
}

/* The control shows caches that `page` reaches earlier. */
static void request_beyond(struct batch *batch, uint64_t to)
{
    if (to <= UINT64_MAX / PACKED_BEYOND)
        request_coarse(batch, to, PACKED_BEYOND * to, request_packed);
}

void plan_curves(struct batch *batch)
{
    const struct plan_options *o = batch->options;
    const struct range *pages = &o->pages;
    uint64_t from = pages->values[0], to = pages->values[pages->count - 1];
    if (o->page_bytes > o->base_page_bytes)
        to = bound_huge(batch, to);
    plan_curve(batch, from < to ? from : to, to);
    request_beyond(batch, to);
}

void plan_sizes(struct batch *batch)
{
    const struct range *pages = &batch->options->pages;
    uint64_t from = pages->values[0], to = pages->values[pages->count - 1];
    request_coarse(batch, from < to ? from : to, to, request_both);
    request_beyond(batch, to);
}

void plan_coalescing(struct batch *batch)
{
    static const int chosen[] = {BACKING_SCATTERED, BACKING_CONTIGUOUS};
    for (size_t i = 0; i < sizeof chosen / sizeof *chosen; i++) {
        batch->like.backing = &backings[chosen[i]];
        plan_curves(batch);
    }
}

/* Neighbouring pages in coarse steps only: their second level ends at thousands of pages, and long
 * chains take most of the time. */
void plan_walk(struct batch *batch)
{
    const struct plan_options *o = batch->options;
    uint64_t most = o->pages.values[o->pages.count - 1];
    request_coarse(batch, WALK_FROM, most, request_both);
    most = most < WALK_MOST ? most : WALK_MOST;
    for (uint64_t apart = o->page_bytes;
         apart <= o->address_bytes / WALK_LEAST / (o->page_bytes / 8);) {
        apart *= o->page_bytes / 8;
        uint64_t pages = o->address_bytes / apart;
        batch->like.spacing = apart;
        plan_curve(batch, WALK_FROM, pages < most ? pages : most);
    }
}
