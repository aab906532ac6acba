/* curve.c: samples as curves over the number of nodes. */
#include "curve.h"
#include "error.h"
#include "layout.h"
#include "stats.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct pair {
    double sum, difference;
};

static int compare_pairs(const void *a, const void *b)
{
    double x = ((const struct pair *)a)->sum, y = ((const struct pair *)b)->sum;
    return (x > y) - (x < y);
}

/* The pairs of two groups: by sample number where both count alike from 0, else by order. */
static size_t make_pairs(const struct group *page, const struct group *packed, struct pair *pairs)
{
    size_t n = 0, k = 0;
    for (size_t i = 0; i < page->count; i++) {
        while (k < packed->count && packed->sample[k] < page->sample[i])
            k++;
        if (k < packed->count && packed->sample[k] == page->sample[i]) {
            pairs[n++] = (struct pair){page->ns[i] + packed->ns[k], page->ns[i] - packed->ns[k]};
            k++;
        }
    }
    if (n == 0)
        for (; n < page->count && n < packed->count; n++)
            pairs[n] = (struct pair){page->ns[n] + packed->ns[n], page->ns[n] - packed->ns[n]};
    return n;
}

/* Value and spread of the quieter half of the pairs; the spread goes into *error for now. */
static struct curve_point pair_point(const struct group *page, const struct group *packed)
{
    struct curve_point point = {.pages = (double)page->point.pages};
    struct pair *pairs = allocate(page->count, sizeof *pairs);
    size_t n = make_pairs(page, packed, pairs), half = (n + 1) / 2;
    double *values = allocate(2 * n, sizeof *values);
    qsort(pairs, n, sizeof *pairs, compare_pairs);
    for (size_t i = 0; i < half; i++)
        values[i] = pairs[i].difference;
    point.samples = n;
    point.kept = half;
    point.ns = stats_median(values, half);
    point.error = stats_mad(values, half, point.ns, values + half);
    point.load_ns = half > 0 ? (pairs[half / 2].sum + point.ns) / 2 : NAN;
    free(values);
    free(pairs);
    return point;
}

/* From spread to standard error of the median: few pairs tell little about their own spread, so the
 * spread common to all points (as a part of the load time) is the least. */
static void finish_errors(struct curve *curve)
{
    double *shares = allocate(curve->count, sizeof *shares);
    for (size_t i = 0; i < curve->count; i++)
        shares[i] = curve->at[i].error / curve->at[i].load_ns;
    double common = curve->count > 0 ? stats_median(shares, curve->count) : 0;
    for (size_t i = 0; i < curve->count; i++) {
        struct curve_point *p = &curve->at[i];
        double spread = p->kept >= 5 ? p->error : 0;
        p->error = 1.2533 * fmax(spread, common * p->load_ns) / sqrt((double)p->kept);
    }
    free(shares);
}

struct curve curve_control(const struct series *series)
{
    struct curve curve = {allocate(series->count, sizeof *curve.at), 0};
    for (size_t i = 0; i < series->count; i++) {
        const struct group *page = &series->groups[i], *packed = NULL;
        if (!group_has_layout(page, "page"))
            continue;
        for (size_t k = 0; k < series->count && packed == NULL; k++)
            if (group_has_layout(&series->groups[k], "packed") &&
                series->groups[k].point.pages == page->point.pages)
                packed = &series->groups[k];
        if (packed == NULL)
            continue;
        struct curve_point point = pair_point(page, packed);
        if (point.kept > 0)
            curve.at[curve.count++] = point;
    }
    finish_errors(&curve);
    return curve;
}

/* Whether the noise of a layout mostly adds time: its upper tail is more than twice its lower. */
static bool is_skewed(const struct series *series, const char *layout)
{
    double up = 0, down = 0;
    for (size_t i = 0; i < series->count; i++) {
        const struct group *g = &series->groups[i];
        if (!group_has_layout(g, layout) || g->count < 3)
            continue;
        double middle = group_quantile(g, 0.5);
        up += (group_quantile(g, 0.9) - middle) / middle;
        down += (middle - group_quantile(g, 0.1)) / middle;
    }
    return up > 2 * down;
}

struct curve curve_alone(const struct series *series, const char *layout)
{
    struct curve curve = {allocate(series->count, sizeof *curve.at), 0};
    double q = is_skewed(series, layout) ? 0 : 0.5;
    for (size_t i = 0; i < series->count; i++) {
        const struct group *g = &series->groups[i];
        if (!group_has_layout(g, layout) || g->count == 0)
            continue;
        struct curve_point *p = &curve.at[curve.count++];
        double value = group_quantile(g, q);
        double spread = q < 0.5 ? group_quantile(g, 0.3) - value
                                : (group_quantile(g, 0.75) - group_quantile(g, 0.25)) / 1.349;
        *p = (struct curve_point){(double)g->point.pages, value, spread, value, g->count, g->count};
    }
    finish_errors(&curve);
    return curve;
}

void curve_free(struct curve *curve)
{
    free(curve->at);
    *curve = (struct curve){0};
}
