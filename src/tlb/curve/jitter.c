/* jitter.c: noise on both sides of a sample's time. */
#include "tlb/curve/jitter.h"
#include "base/error.h"
#include "base/stats.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Jitter makes a tenth of the samples faster by at least this fraction, and the slow tail is at
 * most `right_most` times as long. [significance] */
static const double left_least = 0.02, right_most = 1.5;

/* At most this fraction of the pairs of `page` and `packed` lie on the same side of their medians.
 * [significance] */
static const double same_most = 0.55;

/* Samples needed at a size to estimate tails. [significance] */
enum { SAMPLES_LEAST = 5 };

/* A normal distribution cut off `cut_off` standard deviations above its mean: the mean of the rest
 * is `below` deviations lower. As the cut moves with the estimate, its error is `unsure` times that
 * of a plain mean of as many samples. [physics] */
static const double cut_off = 0.75, below = 0.3894, unsure = 1.340;

/* The first estimate of the mean: a quantile, and its distance from the mean in standard
 * deviations. [physics] */
static const double fast_part = 0.1, low_place = 1.2816;

enum { ROUNDS_MOST = 100 }; /* [bound] */

/* A point exceeds a larger size's mean by at most this many of its standard errors. [significance]
 */
static const double above_most = 3;

/* How far samples lie on either side of their median, relative to it: medians over all sizes. */
struct tails {
    double left, right, deviation;
};

static struct tails tails_of(const struct series *series, const struct point *point)
{
    double *memory = allocate(series->count, 3 * sizeof *memory), *part[3];
    size_t count = 0;
    for (int k = 0; k < 3; k++)
        part[k] = memory + (size_t)k * series->count;
    for (size_t i = 0; i < series->count; i++) {
        const struct group *g = &series->groups[i];
        if (!point_same_curve(&g->point, point) || g->count < SAMPLES_LEAST)
            continue;
        double middle = group_fastest(g, 0.5);
        part[0][count] = 1 - group_fastest(g, fast_part) / middle;
        part[1][count] = group_fastest(g, 1 - fast_part) / middle - 1;
        part[2][count] = stats_mad(g->fastest, g->count) / middle;
        count += middle > 0;
    }
    struct tails tails = {0};
    if (count > 0)
        tails = (struct tails){stats_median(part[0], count), stats_median(part[1], count),
                               stats_median(part[2], count)};
    free(memory);
    return tails;
}

/* Counts the pairs of samples at a size, and those on the same side of their medians. */
static void count_sides(const struct group *page, const struct group *packed, double *pairs,
                        double *same)
{
    double page_ns = group_fastest(page, 0.5), packed_ns = group_fastest(packed, 0.5);
    for (size_t i = 0; i < page->count && i < packed->count; i++) {
        double sides = (page->fastest[i] - page_ns) * (packed->fastest[i] - packed_ns);
        bool paired = page->sample[i] == packed->sample[i] && sides != 0;
        *pairs += paired;
        *same += paired && sides > 0;
    }
}

double jitter_of(const struct series *series, const struct point *page, const struct point *packed)
{
    struct tails tails = tails_of(series, packed);
    double pairs = 0, same = 0;
    if (!(tails.left >= left_least) || tails.right > right_most * tails.left)
        return 0;
    for (size_t i = 0; i < series->count; i++) {
        const struct group *g = &series->groups[i], *other = curve_beside(series, g, packed);
        if (point_same_curve(&g->point, page) && other != NULL)
            count_sides(g, other, &pairs, &same);
    }
    return pairs > 0 && same <= same_most * pairs ? tails.deviation : 0;
}

/* A mean, its error, and its upper limit, given the means of larger sizes. */
struct mean {
    double ns, error, most;
};

/* Sets the mean of the samples disturbed by jitter alone: those below the cut. No mean lies far
 * above that of a larger size; if it does, all its samples were disturbed, so it is lowered and its
 * error grows by as much. */
static void set_mean(struct mean *mean, const struct group *g, double jitter)
{
    double last = 0, kept = 0, ns = group_fastest(g, fast_part) * (1 + low_place * jitter);
    for (int round = 0; round < ROUNDS_MOST && ns != last; round++) {
        double sum = kept = 0;
        for (size_t i = 0; i < g->count; i++)
            if (g->fastest[i] <= ns * (1 + cut_off * jitter)) {
                sum += g->fastest[i];
                kept++;
            }
        last = ns;
        ns = sum / kept / (1 - below * jitter);
    }
    mean->ns = fmin(ns, mean->most);
    mean->error = hypot(unsure * jitter * ns / sqrt(kept), ns - mean->ns);
    mean->most = fmin(mean->most, mean->ns + above_most * mean->error);
}

struct curve jitter_curve(const struct series *series, const struct point *page,
                          const struct point *packed, double jitter)
{
    struct curve curve = {allocate(series->count, sizeof *curve.at), 0};
    struct mean mean = {.most = INFINITY}, packed_mean = mean;
    for (size_t i = series->count; i-- > 0;) {
        const struct group *g = &series->groups[i], *other = curve_beside(series, g, packed);
        if (!point_same_curve(&g->point, page) || other == NULL)
            continue;
        set_mean(&mean, g, jitter);
        set_mean(&packed_mean, other, jitter);
        curve.at[series->count - ++curve.count] = (struct curve_point){
            .pages = (double)g->point.pages,
            .ns = mean.ns - packed_mean.ns,
            .error = hypot(mean.error, packed_mean.error),
            .load_ns = mean.ns,
            .samples = g->count,
            .kept = g->count};
    }
    memmove(curve.at, curve.at + series->count - curve.count, curve.count * sizeof *curve.at);
    return curve;
}
