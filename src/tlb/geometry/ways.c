/* ways.c: the ways of a TLB level. */
#include "tlb/geometry/ways.h"
#include "base/stats.h"
#include <math.h>

/* A set overflows when a target costs this fraction of a full miss more, and this many standard
 * errors: one page too many costs that much even if random or tree replacement keeps most pages of
 * the set; a smaller excess is due to a neighbour. The last BEYOND numbers of targets cannot show
 * it, as no larger ones confirm them. [significance] */
static const double seen_least = 0.075, ways_errors = 7;
enum { BEYOND = 2 };

/* A step above this fraction of a full miss is sharp, if noise is below the second fraction.
 * [prior] */
static const double sharp_least = 0.7, sharp_noise = 0.5;

/* All targets fit up to this fraction of the number at which half miss, even with a busy neighbour.
 * [prior] */
static const double fits_part = 0.4;
enum { POINTS_MOST = 64 }; /* [bound] */

/* The median of the points at which all targets fit. */
static double start_of(const struct curve *curve, double reach)
{
    double ns[POINTS_MOST];
    size_t count = 0;
    while (count < curve->count && count < POINTS_MOST &&
           (count == 0 || curve->at[count].pages <= fits_part * reach)) {
        ns[count] = curve->at[count].ns;
        count++;
    }
    return count > 0 ? stats_median(ns, count) : 0;
}

/* Whether the cost grows faster than before, by more than `least`. A first level with random
 * replacement serves ever fewer of the targets, so they cost less than the plateau, and their cost
 * grows ever more slowly until their set overflows. */
static bool turns_up(const struct curve *curve, size_t i, double start, double least)
{
    const struct curve_point *at = &curve->at[i];
    return i > 1 && at[-2].ns > start / 2 && at->ns - 2 * at[-1].ns + at[-2].ns > least;
}

struct ways ways_of(const struct stride_profile *p, size_t level)
{
    int to = stride_profile_fall(p, level).to;
    double step = p->ns[level + 1] - p->ns[level];
    struct ways ways = {.count = NAN};
    struct curve curve = {0};
    uint64_t others = level > 0 ? stride_profile_others_at(p, to) : 0;
    if (to > 0)
        curve = stride_profile_targets(p, p->page.spacing << to, others);
    double start = start_of(&curve, p->reach[level][to]);
    /* Without others, or if these leave its set alone, the first level serves the first targets. */
    if (others == 0 || stride_profile_fall(p, 0).to > 0)
        start = fmax(start, p->ns[level]);
    for (size_t i = 1; i + BEYOND < curve.count && isnan(ways.count); i++) {
        const struct curve_point *at = &curve.at[i];
        double full = step * at->pages / (at->pages + (double)others);
        double noise = ways_errors * at->error, least = start + fmax(noise, seen_least * full);
        if (at->ns <= least && !turns_up(&curve, i, start, fmax(2 * noise, seen_least * full)))
            continue;
        ways.count = at->pages - 1;
        ways.sharp = at->ns - start > sharp_least * full && noise < sharp_noise * full;
        ways.exact = ways.sharp || noise <= seen_least * full;
        ways.uneven = at[-1].load_ns > least;
    }
    curve_free(&curve);
    return ways;
}
