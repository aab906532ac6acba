/* inclusion.c: whether the second level of a TLB is inclusive or exclusive of the first. */
#include "tlb/geometry/inclusion.h"
#include "tlb/geometry/targets.h"
#include <math.h>

/* Conflicts show if the first level has this many times as many entries as the second has ways.
 * [prior] */
static const double larger_least = 1.3;

/* Conflicts are measured up to the first level's entries plus `beyond_most` times the second's
 * ways; at least `beyond_least` times must be possible. [prior] */
static const double beyond_most = 1.2, beyond_least = 0.5;

/* Capacities whose logarithms differ by less than this are equal. An explanation wins if its error
 * is below this fraction of the other's. [significance] */
static const double error_most = 0.15, clearer = 0.5;

/* A reach above this fraction of its former value has not fallen further. [prior] */
static const double not_fallen_further = 0.85;

/* Two levels whose reaches stay within this ratio fall together. [prior] */
static const double together = 1.35;

struct conflict conflict_of(const struct stride_profile *p, const struct index_hash *hash)
{
    struct conflict c = {0};
    int to = stride_profile_fall(p, 1).to;
    double ways = p->levels > 1 ? p->ways[1].count : (double)NAN, level1 = p->entries[0];
    if (isnan(ways) || level1 < larger_least * ways)
        return c;
    uint64_t most = UINT64_MAX;
    if (stride_profile_stays(p, 0, 0, to))
        c.stride = (uint64_t)1 << to;
    for (int fold = hash->from; fold < hash->to && c.stride == 0; fold++)
        if (hash->found[fold]) {
            c.stride = index_hash_stride(fold, 0);
            most = (uint64_t)1 << fold;
        }
    c.inclusive_at = (uint64_t)((ways + level1) / 2);
    c.first = (uint64_t)level1 + 1;
    c.last = (uint64_t)(level1 + beyond_most * ways) + 1;
    c.last = c.last < most ? c.last : most;
    if ((double)c.last < level1 + beyond_least * ways)
        c.stride = 0;
    return c;
}

/* The curve at `pages` pages, interpolated linearly; NaN outside its range. */
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

/* A miss in the first level costs at least this fraction of its step. [prior] */
static const double miss_cost = 0.1;

/* A miss in both levels costs this many times a miss in the first alone, or the square root of the
 * ratio of the plateaus if that is less: without LRU some targets of a full set still hit. [prior]
 */
static const double both_cost = 1.6;

/* Whether this many conflicting pages miss both levels; as many neighbouring pages miss the first
 * level only. */
static bool misses_both(const struct stride_profile *p, const struct curve *neighbours,
                        const struct curve *conflicting, double pages)
{
    double level1 = fmax(cost_at(neighbours, pages), p->ns[0] + miss_cost * (p->ns[1] - p->ns[0]));
    return cost_at(conflicting, pages) > level1 * fmin(both_cost, sqrt(p->ns[2] / p->ns[1]));
}

const char *inclusion_by_conflict(const struct stride_profile *p, const struct conflict *c,
                                  bool level1_full, double *ways)
{
    struct curve conflicting = targets_curve(p, c->stride * p->page.spacing, 0);
    struct curve neighbours = curve_control(p->series, &p->page);
    double level1 = p->entries[0], beyond = level1 + ceil(*ways / (level1_full ? 4 : 2)), held = 0;
    const char *relation = conflicting.count > 0 ? "unknown" : NULL;
    if (cost_at(&conflicting, (double)c->inclusive_at) > (p->ns[0] + p->ns[2]) / 2)
        relation = "inclusive";
    else if (misses_both(p, &neighbours, &conflicting, beyond))
        relation = "neither";
    else if (cost_at(&conflicting, beyond) > (p->ns[0] + p->ns[1]) / 2) {
        relation = "exclusive";
        while (level1 + held < (double)c->last &&
               !misses_both(p, &neighbours, &conflicting, level1 + held + 1))
            held++;
        *ways = held;
    }
    curve_free(&conflicting);
    curve_free(&neighbours);
    return relation;
}

/* How many of the pages that share a set of the second level fit into the first level. */
static double held_by_level1(const struct stride_profile *p, int stride)
{
    struct curve curve = targets_curve(p, p->page.spacing << stride, 0);
    double held = floor(stride_profile_crossing(&curve, p->ns[0], p->ns[1]));
    curve_free(&curve);
    return held;
}

const char *inclusion_by_sum(const struct stride_profile *p, double level1_ways, double sets,
                             double *ways)
{
    int to = stride_profile_fall(p, 1).to;
    if (isnan(level1_ways))
        level1_ways = held_by_level1(p, to);
    double apart = (*ways - level1_ways) * sets + p->entries[0];
    double error = fabs(log(*ways * sets / p->entries[1]));
    double error_apart = *ways > level1_ways ? fabs(log(apart / p->entries[1])) : (double)INFINITY;
    if (error < error_most && error < clearer * error_apart)
        return "unknown"; /* inclusive and neither look alike at this distance */
    if (error_apart < error_most && error_apart < clearer * error) {
        *ways = p->reach[1][p->strides] > not_fallen_further * p->reach[1][to] ? *ways - level1_ways
                                                                               : (double)NAN;
        return "exclusive";
    }
    *ways = NAN; /* may include the first level's ways */
    return "unknown";
}

bool inclusion_makes_fall(const struct stride_profile *p)
{
    int from = stride_profile_fall(p, 0).from;
    if (p->levels < 2 || from == 0)
        return false;
    for (int k = from + 1; k <= p->strides; k++)
        if (fabs(log(p->reach[0][k] / p->reach[1][k])) > log(together))
            return false;
    return true;
}
