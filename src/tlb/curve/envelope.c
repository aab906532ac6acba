/* envelope.c: the lower envelope of a curve. */
#include "tlb/curve/envelope.h"
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

/* The fastest lap at a size and all larger ones, and how far the next one of that size is. A clean
 * curve cannot fall when nodes are added, and noise only adds time. */
struct least {
    double ns, gap_ns;
};

static void take(struct least *least, double ns, double gap_ns)
{
    if (ns < least->ns)
        *least = (struct least){ns, gap_ns};
}

/* The fastest of LUCKY_ONE_IN or more samples of a short chain is left out: by chance of the
 * replacement state, the chain may have fitted into a level that it overflows. Over many sets such
 * luck averages out. */
static void take_runs(struct least *least, const struct group *group)
{
    double *copy = allocate(group->count, sizeof *copy);
    size_t first = group->point.pages <= LUCKY_NODES && group->count >= LUCKY_ONE_IN;
    memcpy(copy, group->fastest, group->count * sizeof *copy);
    double ns = stats_select(copy, group->count, first);
    take(least, ns,
         first + 1 < group->count ? stats_select(copy, group->count, first + 1) - ns : 0);
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

/* Takes the groups of this size or larger. A sample of `packed`
 * lies on few page frames. If times depend on which frames these are, the minimum would be that of
 * lucky frames, so the median is used, with its own error. `page` lies on so many frames that their
 * effects average out. */
static void take_beside(struct beside *b, uint64_t pages)
{
    for (; b->at > 0; b->at--) {
        const struct group *group = &b->series->groups[b->at - 1];
        if (!point_same_curve(&group->point, b->packed))
            continue;
        if (group->point.pages < pages)
            return;
        double scatter = group_scatter(group), median = group_fastest(group, 0.5);
        if (scatter > scatter_times * b->usual + scatter_least)
            take(&b->least, median, median * scatter / sqrt((double)group->count));
        else
            take_runs(&b->least, group);
    }
}

struct curve envelope(const struct series *series, const struct point *page,
                      const struct point *packed)
{
    struct curve curve = {allocate(series->count, sizeof *curve.at), 0};
    const struct least none = {INFINITY, 0};
    struct least above = none;
    struct beside beside = {series, packed, usual_scatter(series, packed), series->count, none};
    for (size_t i = series->count; i-- > 0;) {
        const struct group *group = &series->groups[i];
        if (!point_same_curve(&group->point, page))
            continue;
        take_runs(&above, group);
        take_beside(&beside, group->point.pages);
        if (isinf(beside.least.ns))
            continue;
        curve.at[curve.count++] = (struct curve_point){
            .pages = (double)group->point.pages,
            .ns = above.ns - beside.least.ns,
            .error = hypot(above.gap_ns, beside.least.gap_ns),
            .load_ns = above.ns,
            .samples = group->count};
    }
    for (size_t i = 0, k = curve.count; i + 1 < k; i++) {
        struct curve_point left = curve.at[i];
        curve.at[i] = curve.at[--k];
        curve.at[k] = left;
    }
    return curve;
}
