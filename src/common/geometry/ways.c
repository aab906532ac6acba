/* ways.c: the ways of a TLB level. */
#include "geometry/ways.h"
#include <math.h>

/* A set overflows where the mean load costs this part of a full miss more, and so many standard
 * errors, at POINTS successive numbers of targets. [significance] */
static const double share_least = 0.04, errors_least = 7;
enum { POINTS = 3 };

/* All targets fit up to this part of the number of which half miss: with random replacement half
 * miss at 1.39 times the ways. [physics] */
static const double start_part = 0.6;

/* A step above this part of a full miss is sharp. [prior] */
static const double sharp_least = 0.7;

/* Mean of the points up to `start_part` of `reach`, weighted by precision, and its error. */
static double start_of(const struct curve *curve, double reach, double *error)
{
    double sum = 0, weight = 0;
    for (size_t i = 0; i < curve->count; i++) {
        double w = 1 / (curve->at[i].error * curve->at[i].error + 1e-6);
        if (i > 0 && curve->at[i].pages > start_part * reach)
            break;
        sum += w * curve->at[i].ns;
        weight += w;
    }
    *error = 1 / sqrt(weight);
    return sum / weight;
}

/* Whether a point lies significantly above the start of its curve; `full`: the height if all
 * targets missed. */
static bool is_over(const struct curve_point *p, double start, double error, double full)
{
    return p->ns - start > fmax(errors_least * hypot(p->error, error), share_least * full);
}

/* Whether the first level has sets: the others may then leave that of the targets alone. */
static bool first_has_sets(const struct stride_profile *p)
{
    int from, to;
    stride_profile_fall(p, 0, &from, &to);
    return to > 0;
}

struct ways ways_of(const struct stride_profile *p, size_t level)
{
    int from, to;
    double error, step = p->ns[level + 1] - p->ns[level];
    struct ways ways = {.count = NAN};
    struct curve curve = {0};
    stride_profile_fall(p, level, &from, &to);
    uint64_t others = level > 0 ? stride_profile_others_at(p, to) : 0;
    if (to > 0)
        curve = stride_profile_targets(p, p->page.spacing << to, others);
    double start = start_of(&curve, p->reach[level][to], &error);
    if (others == 0 || first_has_sets(p)) /* the first level serves the first few targets */
        start = fmax(start, p->ns[level]);
    for (size_t i = 1; i + 1 < curve.count && isnan(ways.count); i++) {
        size_t k = i;
        double full = step * curve.at[i].pages / (curve.at[i].pages + (double)others);
        while (k < i + POINTS && k < curve.count && is_over(&curve.at[k], start, error, full))
            k++;
        if (k < i + POINTS && k < curve.count)
            continue;
        ways.count = curve.at[i].pages - 1;
        ways.sharp = curve.at[i].ns - start > sharp_least * full;
        struct curve_point most = curve.at[i - 1];
        most.ns += most.load_ns; /* the median of all sets, not the freest only */
        ways.uneven = is_over(&most, start, error, full);
    }
    curve_free(&curve);
    return ways;
}
