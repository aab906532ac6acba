/* curve.c: from samples to curves over the number of nodes. */
#include "tlb/curve/curve.h"
#include "access/layout.h"
#include "base/error.h"
#include "base/stats.h"
#include "tlb/curve/envelope.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A step is gradual if half of it lies beyond this many times its start. With LRU, W ways and
 * evenly filled sets, half lies at 1 + 1/(2W) times the capacity. [physics] */
static const double half_way_sharp = 7.0 / 6;

/* Weight of the common spread, as a number of a point's own pairs. [prior] */
static const double common_pairs = 4;

/* Noise is skewed if its upper tail is this many times its lower tail. [significance] */
static const double skew_least = 2;

/* A curve of more than SIZES_MANY points merges those whose sizes differ by less than this
 * fraction. [bound] */
static const double near_size = 0.005;
enum { SIZES_MANY = 1000 };

/* Turns spread into the standard error of the median. The median relative spread of all points is a
 * lower limit, because few pairs estimate their own spread poorly. */
static void finish_errors(struct curve *curve)
{
    double *shares = allocate(curve->count, sizeof *shares);
    for (size_t i = 0; i < curve->count; i++)
        shares[i] = curve->at[i].error / curve->at[i].load_ns;
    double common = curve->count > 0 ? stats_median(shares, curve->count) : 0;
    for (size_t i = 0; i < curve->count; i++) {
        struct curve_point *p = &curve->at[i];
        double samples = (double)p->samples, least = common * p->load_ns;
        double spread = sqrt((samples * p->error * p->error + common_pairs * least * least) /
                             (samples + common_pairs));
        p->error = STATS_MEDIAN_ERROR * fmax(spread, least) / sqrt(samples);
    }
    free(shares);
}

/* The mean of points i to k - 1. Its error is the larger of their propagated errors and their
 * scatter. */
static struct curve_point mean_point(const struct curve_point *at, size_t i, size_t k)
{
    struct curve_point mean = {0};
    double n = (double)(k - i), squares = 0;
    for (size_t p = i; p < k; p++) {
        mean.pages += at[p].pages / n;
        mean.ns += at[p].ns / n;
        mean.error = hypot(mean.error, at[p].error / n);
        mean.load_ns += at[p].load_ns / n;
        mean.samples += at[p].samples;
    }
    for (size_t p = i; p < k; p++)
        squares += (at[p].ns - mean.ns) * (at[p].ns - mean.ns);
    mean.pages = round(mean.pages);
    mean.error = fmax(mean.error, sqrt(squares / (n * fmax(1, n - 1))));
    return mean;
}

/* Limits the number of points: knees and fits take superlinear time. */
static struct curve merged(struct curve curve)
{
    size_t all = curve.count, k;
    if (all <= SIZES_MANY)
        return curve;
    curve.count = 0;
    for (size_t i = 0; i < all; i = k) {
        for (k = i + 1; k < all && curve.at[k].pages <= (1 + near_size) * curve.at[i].pages;)
            k++;
        curve.at[curve.count++] = mean_point(curve.at, i, k);
    }
    return curve;
}

const struct point *curve_packed(const struct series *series, const struct point *page)
{
    const struct point *best = NULL;
    for (size_t i = 0; i < series->count; i++) {
        const struct point *p = &series->groups[i].point;
        if (!group_layout(&series->groups[i])->control || p->kernel != page->kernel)
            continue;
        bool alike = p->backing == page->backing && p->page_bytes == page->page_bytes;
        if (best == NULL || alike)
            best = p;
        if (alike)
            break;
    }
    return best;
}

/* Whether the noise at sizes `from` to `to` mostly adds time. */
static bool is_skewed(const struct series *series, const struct point *point, double from,
                      double to)
{
    static const double tail = 0.1; /* [significance] */
    double up = 0, down = 0;
    for (size_t i = 0; i < series->count; i++) {
        const struct group *g = &series->groups[i];
        if (!point_same_curve(&g->point, point) || g->count < 3 || (double)g->point.pages < from ||
            (double)g->point.pages > to)
            continue;
        double middle = group_fastest(g, 0.5);
        up += (group_fastest(g, 1 - tail) - middle) / middle;
        down += (middle - group_fastest(g, tail)) / middle;
    }
    return up > skew_least * down;
}

struct curve curve_control(const struct series *series, const struct point *page)
{
    const struct point *packed = curve_packed(series, page);
    return packed != NULL ? merged(envelope(series, page, packed)) : (struct curve){0};
}

static struct curve curve_of(const struct series *series, const struct point *point, bool skewed)
{
    static const double low_part = 0.3; /* [significance] */
    struct curve curve = {allocate(series->count, sizeof *curve.at), 0};
    for (size_t i = 0; point != NULL && i < series->count; i++) {
        const struct group *g = &series->groups[i];
        if (!point_same_curve(&g->point, point))
            continue;
        double ns = group_fastest(g, skewed ? 0 : 0.5);
        double spread = skewed ? group_fastest(g, low_part) - ns
                               : (group_fastest(g, 0.75) - group_fastest(g, 0.25)) /
                                     (2 * STATS_QUARTILE);
        curve.at[curve.count++] = (struct curve_point){(double)g->point.pages, ns, spread, ns,
                                                       g->count};
    }
    finish_errors(&curve);
    return curve;
}

struct curve curve_alone(const struct series *series, const struct point *point)
{
    bool skewed = point != NULL && is_skewed(series, point, 0, INFINITY);
    return merged(curve_of(series, point, skewed));
}

struct curve curve_by_frames(const struct series *series, const struct point *point, double from,
                             double to, bool *adds)
{
    bool skewed = *adds = point != NULL && is_skewed(series, point, from, to);
    struct curve curve = curve_of(series, point, skewed);
    for (size_t i = 0, k = 0; !skewed && k < curve.count; i++)
        if (point_same_curve(&series->groups[i].point, point))
            curve.at[k++].ns = stats_mean(series->groups[i].ns, series->groups[i].count);
    return merged(curve);
}

struct curve curve_median(const struct series *series, const struct point *point)
{
    return merged(curve_of(series, point, false));
}

void curve_free(struct curve *curve)
{
    free(curve->at);
    *curve = (struct curve){0};
}

double curve_size_below(const struct curve *curve, double pages)
{
    size_t i = 0;
    while (i + 1 < curve->count && curve->at[i + 1].pages <= pages)
        i++;
    return fmin(pages, curve->at[i].pages);
}

double curve_size_above(const struct curve *curve, double pages)
{
    size_t i = 0;
    while (i + 1 < curve->count && curve->at[i].pages < pages)
        i++;
    return fmax(pages, curve->at[i].pages);
}

bool curve_is_gradual(double start, double half)
{
    return half > half_way_sharp * start;
}
