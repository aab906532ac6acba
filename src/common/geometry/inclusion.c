/* inclusion.c: how the second level of a TLB is related to the first. */
#include "geometry/inclusion.h"
#include "geometry/ways.h"
#include <math.h>

/* The first level holds so many times a set of the second before its pages can conflict there, and
 * its reach has not fallen where it is this part of what it was. [prior] */
static const double first_least = 1.3, not_fallen = 0.7;

/* Conflicts are looked for up to so many sets' worth of pages beyond the first level, this much at
 * least. [prior] */
static const double beyond_most = 1.2, beyond_least = 0.5;

/* Capacities that differ by less on a log scale are the same, and another explanation must be this
 * part as far off. [significance] */
static const double error_most = 0.15, clearer = 0.5;

/* A reach that is this part of what it was has not fallen further. [prior] */
static const double still_there = 0.85;

/* Reaches of two levels within this ratio fall together. [prior] */
static const double together = 1.35;

struct conflict conflict_of(const struct stride_profile *p, const struct index_hash *folds)
{
    struct conflict c = {0};
    int from, to;
    double ways = p->levels > 1 ? ways_of(p, 1).count : (double)NAN, first = p->entries[0];
    if (isnan(ways) || first < first_least * ways)
        return c;
    stride_profile_fall(p, 1, &from, &to);
    uint64_t most = UINT64_MAX;
    if (p->reach[0][to] > not_fallen * p->reach[0][0])
        c.stride = (uint64_t)1 << to;
    for (int fold = folds->from; fold < folds->to && c.stride == 0; fold++)
        if (folds->found[fold]) {
            c.stride = index_hash_stride(fold, 0);
            most = (uint64_t)1 << fold;
        }
    c.inclusive_at = (uint64_t)((ways + first) / 2);
    c.first = (uint64_t)first + 1;
    c.last = (uint64_t)(first + beyond_most * ways) + 1;
    c.last = c.last < most ? c.last : most;
    if ((double)c.last < first + beyond_least * ways)
        c.stride = 0;
    return c;
}

/* A curve at so many pages, between two of its points if need be; NaN beyond them. */
static double cost_at(const struct curve *curve, double pages)
{
    for (size_t i = 0; i < curve->count; i++) {
        const struct curve_point *q = &curve->at[i], *p = i > 0 ? q - 1 : q;
        if (q->pages == pages)
            return q->ns;
        if (q->pages > pages && i > 0)
            return p->ns + (q->ns - p->ns) * (pages - p->pages) / (q->pages - p->pages);
    }
    return NAN;
}

/* What misses the first level costs this part of its step at least. [prior] */
static const double first_cost = 0.1;

/* A miss in the second level too costs so many times one in the first alone, or the root of what it
 * costs at the end of the curve: not all targets of a set miss where replacement is not LRU.
 * [prior] */
static const double dearer = 1.6;

/* Whether pages of one set of the second level, so many of them, miss it when they miss the first:
 * neighbouring pages, as many, only miss the first. */
static bool misses_both(const struct stride_profile *p, const struct curve *neighbours,
                        const struct curve *conflicting, double pages)
{
    double first = fmax(cost_at(neighbours, pages), p->ns[0] + first_cost * (p->ns[1] - p->ns[0]));
    return cost_at(conflicting, pages) > first * fmin(dearer, sqrt(p->ns[2] / p->ns[1]));
}

const char *inclusion_by_conflict(const struct stride_profile *p, const struct conflict *c,
                                  bool first_full, double *ways)
{
    struct curve conflicting = stride_profile_targets(p, c->stride * p->page.spacing, 0, 1);
    struct curve neighbours = curve_control(p->series, &p->page);
    double first = p->entries[0], beyond = first + ceil(*ways / (first_full ? 4 : 2)), held = 0;
    const char *relation = "unknown";
    if (cost_at(&conflicting, (double)c->inclusive_at) > (p->ns[0] + p->ns[2]) / 2)
        relation = "inclusive";
    else if (misses_both(p, &neighbours, &conflicting, beyond))
        relation = "neither";
    else if (cost_at(&conflicting, beyond) > (p->ns[0] + p->ns[1]) / 2) {
        relation = "exclusive";
        while (first + held < (double)c->last &&
               !misses_both(p, &neighbours, &conflicting, first + held + 1))
            held++;
        *ways = held;
    }
    curve_free(&conflicting);
    curve_free(&neighbours);
    return relation;
}

const char *inclusion_by_sum(const struct stride_profile *p, double first_ways, double sets,
                             double *ways)
{
    double apart = (*ways - first_ways) * sets + p->entries[0];
    double error = fabs(log(*ways * sets / p->entries[1]));
    double error_apart = *ways > first_ways ? fabs(log(apart / p->entries[1])) : (double)INFINITY;
    if (error < error_most && error < clearer * error_apart)
        return "unknown"; /* inclusive or neither: at this distance both look alike */
    if (error_apart < error_most && error_apart < clearer * error) {
        int from, to;
        stride_profile_fall(p, 1, &from, &to);
        *ways = p->reach[1][p->strides] > still_there * p->reach[1][to] ? *ways - first_ways
                                                                        : (double)NAN;
        return "exclusive";
    }
    *ways = NAN; /* they may or may not count what the first level holds */
    return "unknown";
}

bool inclusion_makes_fall(const struct stride_profile *p)
{
    int from, to;
    stride_profile_fall(p, 0, &from, &to);
    if (p->levels < 2 || from == 0)
        return false;
    for (int k = from + 1; k <= p->strides; k++)
        if (fabs(log(p->reach[0][k] / p->reach[1][k])) > log(together))
            return false;
    return true;
}
