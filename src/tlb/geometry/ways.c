/* ways.c: the ways of a TLB level. */
#include "tlb/geometry/ways.h"
#include "base/stats.h"
#include "tlb/fit/miss_curve.h"
#include "tlb/geometry/targets.h"
#include <math.h>

/* The cost of a miss differs from the formula by this fraction, as no processor fits exactly.
 * [prior] */
static const double share_error = 0.075;

/* A cost counts if it is this many standard errors. The last BEYOND numbers of targets cannot show
 * the first miss, as no larger ones confirm it. [significance] */
static const double ways_errors = 7;
enum { BEYOND = 2 };

/* Another number of ways fits about as well if it leaves no more than this many times the mean
 * square more. [significance] */
static const double as_well = 6;

/* A step above this fraction of a full miss is sharp, if noise is below the second fraction.
 * [prior] */
static const double sharp_least = 0.7, sharp_noise = 0.5;

/* A set and its targets. */
struct set {
    struct curve curve;
    double others, step_ns;
    double floor_ns; /* without others the first level serves the first targets */
};

static struct set set_of(const struct stride_profile *p, size_t level)
{
    int to = stride_profile_fall(p, level).to;
    uint64_t others = level > 0 ? stride_profile_others_at(p, to) : 0;
    bool served = others == 0 ||
                  stride_profile_fall(p, 0).to > 0; /* the others may leave its set */
    struct set set = {.others = (double)others,
                      .step_ns = p->ns[level + 1] - p->ns[level],
                      .floor_ns = served ? p->ns[level] : 0};
    if (to > 0)
        set.curve = targets_curve(p, p->page.spacing << to, others);
    return set;
}

/* The share of a chain's nodes that are targets. */
static double part_of(const struct set *set, double targets)
{
    return targets / (targets + set->others);
}

/* The line through the times over the share of loads that miss in a set of so many ways. */
static struct line_fit fit_ways(const struct set *set, double ways, enum rule rule)
{
    const struct miss_curve shape = {.rule = rule};
    struct line_sums sums = {0};
    for (size_t i = 0; i < set->curve.count; i++) {
        const struct curve_point *at = &set->curve.at[i];
        double variance, missing = miss_curve_share(&shape, ways, at->pages, &variance);
        double unsure = share_error * set->step_ns * part_of(set, missing > 0 ? at->pages : 1);
        stats_line_add(&sums, 1 / (at->error * at->error + unsure * unsure),
                       missing * part_of(set, at->pages), fmax(at->ns, set->floor_ns));
    }
    return stats_line(&sums);
}

/* The ways before point i, up to which all targets fit. */
static struct ways describe(const struct set *set, size_t i)
{
    const struct curve_point *at = &set->curve.at[i];
    double start = 0;
    for (size_t k = 0; k < i; k++)
        start += fmax(set->curve.at[k].ns, set->floor_ns) / (double)i;
    double full = set->step_ns * part_of(set, at->pages), noise = ways_errors * at->error;
    struct ways ways = {.count = at->pages - 1};
    ways.sharp = at->ns - start > sharp_least * full && noise < sharp_noise * full;
    ways.exact = ways.sharp || noise <= share_error * full;
    ways.uneven = at[-1].load_ns > start + fmax(noise, share_error * full);
    return ways;
}

struct ways ways_of(const struct stride_profile *p, size_t level)
{
    struct set set = set_of(p, level);
    struct ways ways = {.count = NAN};
    double best = INFINITY, second = INFINITY;
    size_t first = 0; /* the first point where some targets miss */
    for (size_t i = 1; i < set.curve.count; i++) {
        double least = INFINITY;
        for (int rule = 0; rule < RULES; rule++) {
            struct line_fit line = fit_ways(&set, set.curve.at[i].pages - 1, (enum rule)rule);
            if (line.slope * sqrt(line.xx) > ways_errors)
                least = fmin(least, line.yy - line.slope * line.xy);
        }
        second = fmin(second, fmax(least, best));
        if (least < best)
            first = i;
        best = fmin(best, least);
    }
    if (first > 0 && first + BEYOND < set.curve.count) {
        double mean = best / (double)set.curve.count;
        ways = describe(&set, first);
        ways.exact = ways.exact || second - best > as_well * fmax(1, mean);
    }
    curve_free(&set.curve);
    return ways;
}
