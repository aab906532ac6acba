/* targets.c: pages of one set among others, in samples of layout `set`. */
#include "tlb/geometry/targets.h"
#include "access/layout.h"
#include "base/error.h"
#include "base/stats.h"
#include <math.h>
#include <stdlib.h>

/* The quantile that represents the sets with least interference. [prior] */
static const double low_part = 1.0 / 32;

/* Noise is treated as one-sided if the minimum varies less than this fraction of the low quantile
 * (normal noise: twice as much), or by less than `steady` of itself. [significance] */
static const double adds_most = 0.7, steady = 0.001;

/* For normal noise: how many standard deviations that quantile lies below the median, and its
 * standard error in units of spread / sqrt(samples): sqrt(q (1 - q)) / density. [physics] */
static const double low_sigmas = 1.863, low_error = 2.47;

/* This many times the first level's entries flush it; `others_least` suffices if no more were
 * measured. [prior] */
static const double others_part = 1.25, others_least = 1.1;

uint64_t targets_others(const struct stride_profile *p)
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

uint64_t targets_other_page(const struct stride_profile *p, int k, uint64_t others, uint64_t i)
{
    struct point set = set_point(p, p->page.spacing << k, others, 1);
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

struct curve targets_rounds(const struct stride_profile *p, uint64_t spacing, uint64_t others,
                            uint64_t rounds)
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
struct curve targets_curve(const struct stride_profile *p, uint64_t spacing, uint64_t others)
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

double targets_missing(const struct stride_profile *p, uint64_t spacing, uint64_t others,
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
