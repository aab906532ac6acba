/* stride_profile.c: how many pages a power of two apart each level of a TLB holds. */
#include "tlb/geometry/stride_profile.h"
#include "access/layout.h"
#include "base/error.h"
#include "base/stats.h"
#include <math.h>
#include <stdlib.h>

/* A fallen reach is below this fraction of its former value, as reach halves or stays; a single
 * step of the fall is below the square root of that. A slower decline is not a fall: walks get
 * slower with the distance, so fewer misses make up half of the step. [prior] */
static const double fallen = 0.7;

/* A walk costs at most this many times a second-level hit: a larger step includes misses of a
 * cache, which start soon after. [prior] */
static const double walk_most = 4;

/* The second level's reach is visible if it is this many times the first level's. [prior] */
static const double strides_apart = 1.5;

/* A difference counts from this many standard errors on. [significance] */
static const double fall_errors = 3;

/* The quantile that represents the sets with least interference. [prior] */
static const double low_part = 1.0 / 32;

/* Noise is treated as one-sided if the minimum varies less than this fraction of the low quantile
 * (normal noise: twice as much), or by less than `steady` of itself. [significance] */
static const double adds_most = 0.7, steady = 0.001;

/* For normal noise: how many standard deviations that quantile lies below the median, and its
 * standard error in units of spread / sqrt(samples): sqrt(q (1 - q)) / density. [physics] */
static const double low_sigmas = 1.863, low_error = 2.47;

/* This many times the first level's entries flush it; `others_least` suffices if no more were
 * measured. A rise starts where half of `early_part` of its step is reached. [prior] */
static const double others_part = 1.25, others_least = 1.1, early_part = 0.2;

/* Mean of points `from` to `to`, weighted by precision: short chains, whose loads hit the first
 * cache, are the most precise. */
static double plateau_of(const struct curve *curve, size_t from, size_t to)
{
    double sum = 0, weight = 0;
    for (size_t i = from; i <= to; i++) {
        double w = 1 / (curve->at[i].error * curve->at[i].error + 1e-6);
        sum += w * curve->at[i].ns;
        weight += w;
    }
    return sum / weight;
}

static void take_levels(struct stride_profile *p, const struct control *control)
{
    struct boundaries found = {.count = 0};
    for (size_t i = 0; i < p->levels; i++) {
        control_add_level(control, i, &found);
        p->entries[i] = found.at[i].entries;
        p->least[i] = found.at[i].entries_min;
        p->most[i] = found.at[i].entries_max;
        p->confidence[i] = found.at[i].confidence;
    }
}

struct stride_profile stride_profile_open(struct analysis *analysis, const struct point *page)
{
    struct stride_profile p = {.series = analysis->series, .page = *page};
    const struct control *control = analysis_curve(analysis, page);
    p.levels = control->alone ? 0 : control->tlb_count;
    p.levels = p.levels < STRIDE_PROFILE_LEVELS ? p.levels : STRIDE_PROFILE_LEVELS;
    for (size_t i = 0; i < p.levels; i++) {
        const struct knee *knee = &control->tlb[i].knee;
        size_t start = i > 0 ? control->tlb[i - 1].knee.end : 0;
        p.ns[i] = plateau_of(&control->difference, start, knee->before);
        double most = i > 0 ? walk_most * (p.ns[i] - p.ns[i - 1]) : (double)INFINITY;
        p.ns[i + 1] = p.ns[i] + fmin(knee->step_ns, most);
        p.reach[i][0] = stride_profile_crossing(&control->difference, p.ns[i], p.ns[i + 1]);
        p.early[i] = stride_profile_crossing(&control->difference, p.ns[i],
                                             p.ns[i] + early_part * (p.ns[i + 1] - p.ns[i]));
    }
    take_levels(&p, control);
    p.strides = p.levels > 0 ? 0 : -1;
    return p;
}

double stride_profile_crossing(const struct curve *c, double low, double high)
{
    double half = (low + high) / 2;
    for (size_t i = 0; i < c->count; i++) {
        if (c->at[i].ns < half || (i + 1 < c->count && c->at[i + 1].ns < half))
            continue;
        if (i == 0)
            return c->at[0].pages;
        const struct curve_point *p = &c->at[i - 1], *q = &c->at[i];
        double share = q->ns > p->ns ? (half - p->ns) / (q->ns - p->ns) : 1;
        return p->pages + fmin(1, fmax(0, share)) * (q->pages - p->pages);
    }
    return NAN;
}

static uint64_t spacing_at(const struct stride_profile *p, int k)
{
    return p->page.spacing << k;
}

static double page_reach(const struct stride_profile *p, size_t level, int k)
{
    struct point page = p->page;
    page.spacing = spacing_at(p, k);
    struct curve curve = curve_control(p->series, &page);
    double reach = stride_profile_crossing(&curve, p->ns[level], p->ns[level + 1]);
    curve_free(&curve);
    return reach;
}

bool stride_profile_hidden(const struct stride_profile *p, int k)
{
    return p->levels > 1 && !(page_reach(p, 1, k) > strides_apart * page_reach(p, 0, k));
}

/* The number of targets at which half miss the second level. Targets and others all miss the first,
 * so any excess over the plateau comes from the targets. Among many others a small excess is noise.
 */
static double targets_reach(const struct stride_profile *p, int k)
{
    double others = (double)stride_profile_others(p);
    struct curve curve = stride_profile_targets(p, spacing_at(p, k), (uint64_t)others);
    double base = curve.count > 0 ? fmax(p->ns[1], curve.at[0].ns) : p->ns[1];
    for (size_t i = 0; i < curve.count; i++) {
        struct curve_point *at = &curve.at[i];
        double more = at->ns - base;
        at->ns = more > fall_errors * at->error ? more * (at->pages + others) / at->pages : 0;
    }
    double reach = stride_profile_crossing(&curve, 0, p->ns[2] - p->ns[1]);
    curve_free(&curve);
    return reach;
}

bool stride_profile_add(struct stride_profile *p, int k)
{
    for (size_t level = 0; level < p->levels; level++)
        p->reach[level][k] = page_reach(p, level, k);
    if (stride_profile_hidden(p, k))
        p->reach[1][k] = targets_reach(p, k);
    for (size_t level = 0; level < p->levels; level++)
        if (isnan(p->reach[level][k]))
            return false;
    p->strides = k;
    return true;
}

void stride_profile_ways(struct stride_profile *p)
{
    for (size_t level = 0; level < p->levels; level++)
        p->ways[level] = ways_of(p, level);
}

bool stride_profile_stays(const struct stride_profile *p, size_t level, int from, int to)
{
    return p->reach[level][to] >= fallen * p->reach[level][from];
}

/* Whether the last step before stride k falls too. */
static bool is_fallen(const struct stride_profile *p, size_t level, int k)
{
    const double *reach = p->reach[level];
    return !stride_profile_stays(p, level, 0, k) && reach[k] < sqrt(fallen) * reach[k - 1];
}

struct stride_profile stride_profile_read(struct analysis *analysis)
{
    struct stride_profile p = {.levels = 0};
    const struct control *first = analysis_first(analysis);
    if (first == NULL)
        return p;
    p = stride_profile_open(analysis, &first->page);
    for (int k = 1; k <= STRIDE_PROFILE_STRIDES && p.levels > 0; k++)
        if (!stride_profile_add(&p, k))
            break;
    stride_profile_ways(&p);
    return p;
}

static int halvings_of(const double *reach, int k)
{
    return (int)lround(log2(reach[0] / reach[k]));
}

/* The strides from 0 to *to at which reach falls. No known index skips bits twice, so what falls
 * after the first bit beyond skipped ones is noise, and *to is set to its end. Noise may also hide
 * a fall, but then the next stride makes up for it. */
static uint64_t falling_bits(const double *reach, int *to)
{
    uint64_t bits = 0;
    bool skips = false;
    for (int k = 0; k < *to; k++)
        if (reach[k + 1] < sqrt(fallen) * reach[k]) {
            bits |= (uint64_t)1 << k;
            if (skips && __builtin_popcountll(bits) >= halvings_of(reach, k + 1))
                *to = k + 1;
        } else
            skips = true;
    return bits;
}

/* Longer walks can shift the first step by one; the ratio of the whole fall then gives the number
 * of steps. An index skips bits if at least as many strides fall as reach has halved. */
struct fall stride_profile_fall(const struct stride_profile *p, size_t level)
{
    const double *reach = p->reach[level];
    int from = 0, to = 0;
    while (from < p->strides && !is_fallen(p, level, from + 1))
        from++;
    while (from < p->strides && !stride_profile_stays(p, level, to, p->strides))
        to++;
    if (to <= from)
        return (struct fall){.from = 0};
    uint64_t bits = from > 0 ? 0 : falling_bits(reach, &to);
    int halvings = halvings_of(reach, to), halved = to - halvings;
    if (from > 0 && halved > 0 && abs(halved - from) == 1)
        from = halved;
    if (__builtin_popcountll(bits) < halvings)
        bits = ((uint64_t)1 << to) - ((uint64_t)1 << from);
    return (struct fall){from, to, bits};
}

/* Whether no level's reach at k is below that at i. */
static bool stayed(const struct stride_profile *p, int i, int k)
{
    for (size_t level = 0; level < p->levels; level++)
        if (!stride_profile_stays(p, level, i, k))
            return false;
    return true;
}

int stride_profile_unsettled(const struct stride_profile *p)
{
    int k = p->strides, flat = 0;
    if (k < 1)
        return STRIDES_SETTLED;
    while (flat < STRIDES_SETTLED && flat < k - 1 && stayed(p, k - flat - 1, k))
        flat++;
    return STRIDES_SETTLED - (stride_profile_fall(p, p->levels - 1).to > 0 ? flat : 0);
}

uint64_t stride_profile_others(const struct stride_profile *p)
{
    uint64_t measured = 0;
    for (size_t i = 0; i < p->series->count; i++) {
        const struct point *at = &p->series->groups[i].point;
        if (at->layout->targets && at->kernel == p->page.kernel && at->backing == p->page.backing &&
            at->page_bytes == p->page.page_bytes &&
            (double)at->others >= others_least * p->most[0] &&
            (measured == 0 || at->others < measured))
            measured = at->others;
    }
    return measured > 0 ? measured : (uint64_t)ceil(others_part * p->most[0]);
}

uint64_t stride_profile_others_at(const struct stride_profile *p, int k)
{
    bool hidden = p->levels > 1 && !(p->reach[1][k] > strides_apart * p->reach[0][k]);
    return hidden ? stride_profile_others(p) : 0;
}

static struct point set_point(const struct stride_profile *p, uint64_t spacing, uint64_t others,
                              uint64_t rounds)
{
    struct point set = p->page;
    set.layout = &layouts[LAYOUT_SET];
    set.spacing = spacing;
    set.others = others;
    set.targets = 1; /* any number identifies the curve */
    set.sample = 0;  /* samples shift all nodes alike */
    set.pages = rounds * (set.targets + others);
    return set;
}

uint64_t stride_profile_other_page(const struct stride_profile *p, int k, uint64_t others,
                                   uint64_t i)
{
    struct point set = set_point(p, spacing_at(p, k), others, 1);
    return set.layout->offset(&set, 0, set.targets + i) / set.page_bytes;
}

/* The curve of `set`, before `packed` is subtracted: quantile `part` of the samples; `load_ns` is
 * their median, `error` their spread. */
static struct curve samples_of(const struct series *series, const struct point *set, double part)
{
    struct curve curve = {allocate(series->count, sizeof *curve.at), 0};
    for (size_t i = 0; i < series->count; i++) {
        const struct group *g = &series->groups[i];
        if (!point_same_curve(&g->point, set))
            continue;
        double spread = (group_fastest(g, 0.25) - group_fastest(g, low_part)) /
                        (low_sigmas - STATS_QUARTILE);
        curve.at[curve.count++] = (struct curve_point){.pages = (double)g->point.pages,
                                                       .ns = group_fastest(g, part),
                                                       .error = spread,
                                                       .load_ns = group_fastest(g, 0.5),
                                                       .samples = g->count,
                                                       .kept = g->count};
    }
    return curve;
}

/* Subtracts `packed` at the same number of nodes, and converts nodes to targets. All these chains
 * fit in the first cache, so one value serves for all: the fastest lap if noise only adds time,
 * else the median of the sizes' medians. Drops points without `packed`. */
static struct curve over_packed(const struct stride_profile *p, struct curve curve,
                                const struct point *set, bool adds)
{
    uint64_t rounds = layout_rounds(set);
    double *ns = allocate(curve.count, sizeof *ns);
    size_t kept = 0;
    for (size_t i = 0; i < curve.count; i++) {
        struct curve_point at = curve.at[i];
        struct point packed = *curve_packed(p->series, &p->page);
        packed.pages = (uint64_t)at.pages / rounds;
        const struct group *beside = series_find(p->series, &packed);
        if (beside == NULL)
            continue;
        ns[kept] = group_fastest(beside, adds ? 0 : 0.5);
        at.pages = (double)(packed.pages - set->others);
        curve.at[kept++] = at;
    }
    curve.count = kept;
    double base = kept > 0 ? stats_quantile(ns, kept, adds ? 0 : 0.5) : 0;
    for (size_t i = 0; i < kept; i++) {
        curve.at[i].ns -= base;
        curve.at[i].load_ns -= base;
    }
    free(ns);
    return curve;
}

struct curve stride_profile_rounds(const struct stride_profile *p, uint64_t spacing,
                                   uint64_t others, uint64_t rounds)
{
    struct point set = set_point(p, spacing, others, rounds);
    struct curve curve = samples_of(p->series, &set, 0.5);
    for (size_t i = 0; i < curve.count; i++)
        curve.at[i].error *= STATS_MEDIAN_ERROR / sqrt((double)curve.at[i].kept);
    return over_packed(p, curve, &set, false);
}

/* Mean relative difference of neighbouring points, among the first `count`. */
static double scatter_of(const struct curve *curve, size_t count)
{
    double sum = 0;
    for (size_t i = 1; i < count; i++)
        sum += fabs(curve->at[i].ns / curve->at[i - 1].ns - 1);
    return count > 1 ? sum / (double)(count - 1) : 0;
}

/* If noise only adds time, the overall minimum is the time of a free set. Otherwise the low
 * quantile is corrected by the amount that noise lowers it when all targets fit: at the lowest
 * third of the numbers. There the time is constant, so the value that scatters less is the better
 * one. */
struct curve stride_profile_targets(const struct stride_profile *p, uint64_t spacing,
                                    uint64_t others)
{
    struct point set = set_point(p, spacing, others, 1);
    struct curve curve = samples_of(p->series, &set, 0),
                 low = samples_of(p->series, &set, low_part);
    size_t lower = curve.count < 4 ? (curve.count + 1) / 2 : (curve.count + 2) / 3;
    double spread = 0, below = 0, half = (double)lower, least = INFINITY;
    for (size_t i = 0; i < lower; i++) {
        spread += low.at[i].error / low.at[i].load_ns / half;
        below += (low.at[i].ns - curve.at[i].ns) / low.at[i].load_ns / half;
    }
    double scatter = scatter_of(&curve, lower), error = fmin(below, scatter);
    bool adds = scatter <= fmax(steady, adds_most * scatter_of(&low, lower));
    for (size_t i = curve.count; i-- > 0;) {
        struct curve_point *at = &curve.at[i];
        double ns = adds ? at->ns : low.at[i].ns * (1 + low_sigmas * spread);
        at->ns = least = fmin(least, ns);
        at->error = adds ? error * ns : low_error * spread * ns / sqrt((double)at->kept);
    }
    curve_free(&low);
    return over_packed(p, curve, &set, adds);
}

double stride_profile_missing(const struct stride_profile *p, uint64_t spacing, uint64_t others,
                              uint64_t targets)
{
    struct point set = set_point(p, spacing, others, 1),
                 packed = *curve_packed(p->series, &p->page);
    set.targets = targets;
    set.pages = packed.pages = targets + others;
    const struct group *in = series_find(p->series, &set);
    const struct group *beside = series_find(p->series, &packed);
    if (in == NULL || beside == NULL)
        return NAN;
    double more = group_fastest(in, low_part) - group_fastest(beside, 0.5) - p->ns[1];
    return more * (double)set.pages / (double)targets / (p->ns[2] - p->ns[1]);
}
