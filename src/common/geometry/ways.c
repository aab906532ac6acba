/* ways.c: how many pages of one set a level of the TLB holds. */
#include "geometry/ways.h"
#include <math.h>

/* One target too many shows when each costs this part of a full miss more. [significance] */
static const double share_least = 0.04, errors_least = 4.5;
enum { POINTS = 3 };

/* Up to this part of the number of which half miss, all fit: with random replacement half miss at
 * 1.39 times what fits. [physics] */
static const double start_part = 0.6;

/* Up to this part all fit even where somebody else holds entries. [prior] */
static const double fits_part = 0.4;

/* A step of this part of a full miss is sharp. [prior] */
static const double sharp_least = 0.7;

/* Mean of the points at the start of a curve, up to a part of `reach`; and its error. */
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

/* Whether a point lies above the start of its curve by the noise and a part of what it would cost
 * if all targets missed. */
static bool is_over(const struct curve_point *p, double start, double error, double full)
{
    return p->ns - start > fmax(errors_least * hypot(p->error, error), share_least * full);
}

/* Others lie in few of the first level's sets, so that they need not flush that of the targets. */
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
        curve = stride_profile_freest(p, p->page.spacing << to, others,
                                      fits_part * p->reach[level][to]);
    double start = start_of(&curve, p->reach[level][to], &error);
    if (others == 0 || first_has_sets(p)) /* the first level holds the first few of them */
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
        most.ns += most.load_ns; /* of most sets, no longer of the freest */
        ways.uneven = is_over(&most, start, error, full);
    }
    curve_free(&curve);
    return ways;
}
