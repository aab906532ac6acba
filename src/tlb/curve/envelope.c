/* envelope.c: the lower envelope of a curve. */
#include "tlb/curve/envelope.h"
#include "access/kernel.h"
#include "base/error.h"
#include "base/stats.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* One in LUCKY_ONE_IN samples may be lucky, if its chain has at most LUCKY_NODES nodes. [prior] */
enum { LUCKY_ONE_IN = 8, LUCKY_NODES = 512 };

/* Page frames matter if samples scatter by more than this many times the usual relative scatter
 * plus `scatter_least`. [significance] */
static const double scatter_times = 3, scatter_least = 0.01;

/* Samples of a size fall into two groups if they spread by more than this many times the usual
 * spread of `packed` plus `state_least`. [significance] */
static const double state_times = 2, state_least = 0.1;
enum { STATE_SIZES = 3 };

/* The relative spread of a group: how far its slowest sample exceeds its fastest. */
static double spread_of(const struct group *group)
{
    return group_fastest(group, 1) / group_fastest(group, 0) - 1;
}

bool envelope_two_states(const struct series *series, const struct point *page,
                         const struct point *packed)
{
    double *spread = allocate(series->count, sizeof *spread), usual = INFINITY;
    size_t count = 0, apart = 0;
    for (size_t i = 0; packed != NULL && i < series->count; i++)
        if (point_same_curve(&series->groups[i].point, packed))
            spread[count++] = spread_of(&series->groups[i]);
    if (count > 0)
        usual = stats_median(spread, count);
    for (size_t i = 0; packed != NULL && i < series->count; i++) {
        const struct group *group = &series->groups[i];
        const struct group *beside = curve_beside(series, group, packed);
        double own = beside != NULL ? fmax(usual, spread_of(beside)) : usual;
        apart += point_same_curve(&group->point, page) &&
                 spread_of(group) > state_times * own + state_least;
    }
    free(spread);
    return apart >= STATE_SIZES;
}

/* The fastest lap at a size and all larger ones, and the second fastest. A clean curve cannot fall
 * when nodes are added, and noise only adds time. */
struct least {
    double ns, next_ns;
};

static void take_run(struct least *least, double ns)
{
    least->next_ns = fmin(least->next_ns, fmax(ns, least->ns));
    least->ns = fmin(least->ns, ns);
}

/* The fastest of LUCKY_ONE_IN or more samples of a short chain is left out: by chance of the
 * replacement state, the chain may have fitted into a level that it overflows. Over many sets such
 * luck averages out. */
static void take_runs(struct least *least, const struct group *group)
{
    double *copy = allocate(group->count, sizeof *copy);
    size_t lucky = group->point.pages <= LUCKY_NODES && group->count >= LUCKY_ONE_IN;
    memcpy(copy, group->fastest, group->count * sizeof *copy);
    for (size_t k = lucky; k < lucky + 2 && k < group->count; k++)
        take_run(least, stats_select(copy, group->count, k));
    free(copy);
}

/* The median scatter of a curve's groups: that of the clock. */
static double usual_scatter(const struct series *series, const struct point *point)
{
    double *scatter = allocate(series->count, sizeof *scatter);
    size_t count = 0;
    for (size_t i = 0; i < series->count; i++)
        if (point_same_curve(&series->groups[i].point, point))
            scatter[count++] = group_scatter(&series->groups[i]);
    double usual = stats_median(scatter, count);
    free(scatter);
    return usual;
}

/* The curve of `packed`, from the largest size down. */
struct beside {
    const struct series *series;
    const struct point *packed;
    double usual; /* usual_scatter() */
    size_t at;    /* groups from here on are already in `least` */
    struct least least;
};

/* Takes the groups of this size or larger (if `alone`, of this size only). A sample of `packed`
 * lies on few page frames. If times depend on which frames these are, the minimum would be that of
 * lucky frames, so the median is used, with its own error. `page` lies on so many frames that their
 * effects average out. */
static void take_beside(struct beside *b, uint64_t pages, bool alone)
{
    for (; b->at > 0; b->at--) {
        const struct group *group = &b->series->groups[b->at - 1];
        if (!point_same_curve(&group->point, b->packed))
            continue;
        if (group->point.pages < pages)
            return;
        if (alone && group->point.pages > pages)
            continue;
        double scatter = group_scatter(group), median = group_fastest(group, 0.5);
        if (scatter > scatter_times * b->usual + scatter_least) {
            take_run(&b->least, median);
            take_run(&b->least, median * (1 + scatter / sqrt((double)group->count)));
        } else
            take_runs(&b->least, group);
    }
}

struct curve envelope(const struct series *series, const struct point *page,
                      const struct point *packed)
{
    struct curve curve = {allocate(series->count, sizeof *curve.at), 0};
    struct least above = {INFINITY, INFINITY};
    bool alone = page->kernel->executes;
    struct beside beside = {series, packed, usual_scatter(series, packed), series->count, above};
    for (size_t i = series->count; i-- > 0;) {
        const struct group *group = &series->groups[i];
        if (!point_same_curve(&group->point, page))
            continue;
        if (alone)
            above = beside.least = (struct least){INFINITY, INFINITY};
        take_runs(&above, group);
        take_beside(&beside, group->point.pages, alone);
        if (alone) { /* a single sample has no second fastest */
            above.next_ns = isinf(above.next_ns) ? above.ns : above.next_ns;
            beside.least.next_ns = isinf(beside.least.next_ns) ? beside.least.ns
                                                               : beside.least.next_ns;
        }
        if (isinf(beside.least.next_ns) || isinf(above.next_ns))
            continue;
        double error = hypot(above.next_ns - above.ns, beside.least.next_ns - beside.least.ns);
        curve.at[curve.count++] = (struct curve_point){.pages = (double)group->point.pages,
                                                       .ns = above.ns - beside.least.ns,
                                                       .error = error,
                                                       .load_ns = above.ns,
                                                       .samples = group->count,
                                                       .kept = group->count};
    }
    for (size_t i = 0, k = curve.count; i + 1 < k; i++) {
        struct curve_point left = curve.at[i];
        curve.at[i] = curve.at[--k];
        curve.at[k] = left;
    }
    return curve;
}
