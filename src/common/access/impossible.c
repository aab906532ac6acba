/* impossible.c: samples that no machine can have measured: one wrong row would hide the level of a
 * TLB that a hundred others show. A lap takes no less than the hits of as many loads, and those of
 * fewer nodes are no slower. */
#include "access/impossible.h"
#include "access/kernel.h"
#include "access/layout.h"
#include <math.h>

/* Sizes before a sample's own that show what a hit takes; after it for the first ones. [prior] */
enum { SIZES_BESIDE = 2 };

/* Of 209 000 rows of 135 recorded and published tables none took less than 0.59 of the hits beside
 * it. [significance] */
static const double share_min = 0.5;

static double quickest_of(const struct group *group, size_t sample)
{
    return fmin(group->ns[sample], group->fastest[sample]);
}

/* The fastest sample of the group. */
static size_t find_quickest(const struct group *group)
{
    size_t best = 0;
    for (size_t i = 1; i < group->count; i++)
        if (quickest_of(group, i) < quickest_of(group, best))
            best = i;
    return best;
}

/* The shortest time above 0 of a group's samples but one (group->count: of all); INFINITY: none. */
static double hit_of(const struct group *group, size_t but)
{
    double min = INFINITY;
    for (size_t i = 0; i < group->count; i++)
        if (i != but && quickest_of(group, i) > 0)
            min = fmin(min, quickest_of(group, i));
    return min;
}

static bool is_beside(const struct series *series, size_t place, size_t other)
{
    return other < series->count &&
           point_same_curve(&series->groups[place].point, &series->groups[other].point);
}

/* The time of a hit beside a sample of the group at this place; INFINITY: unknown. */
static double hit_beside(const struct series *series, size_t place, size_t sample)
{
    double hit = hit_of(&series->groups[place], sample);
    size_t sizes = 0;
    for (; sizes < SIZES_BESIDE && place > sizes && is_beside(series, place, place - sizes - 1);
         sizes++)
        hit = fmin(hit, hit_of(&series->groups[place - sizes - 1], SIZE_MAX));
    for (size_t next = place + 1; sizes < SIZES_BESIDE && is_beside(series, place, next);
         sizes++, next++)
        hit = fmin(hit, hit_of(&series->groups[next], SIZE_MAX));
    return hit;
}

/* Whether the sample is impossible, given the time of a hit. The only sample of the smallest size
 * has none that is no slower beside it. */
static bool is_impossible(const struct series *series, size_t place, size_t sample, double hit_ns)
{
    const struct group *group = &series->groups[place];
    bool alone = group->count == 1 && (place == 0 || !is_beside(series, place, place - 1));
    double ns = quickest_of(group, sample);
    return isfinite(hit_ns) && (ns <= 0 || (!alone && ns < share_min * hit_ns));
}

void impossible_remove(struct series *series, struct table *table)
{
    series_sort(series);
    for (size_t place = 0; place < series->count;) {
        const struct group *group = &series->groups[place];
        size_t sample = find_quickest(group);
        double hit_ns = hit_beside(series, place, sample);
        if (!group->point.kernel->chases || group->point.kernel->executes ||
            group->point.layout->probes || !is_impossible(series, place, sample, hit_ns)) {
            place++;
            continue;
        }
        table_warn(table, group->taken[sample].row,
                   "an access of %.3g ns is impossible beside hits of %.3g ns, so the row is left "
                   "out",
                   quickest_of(group, sample), hit_ns);
        series_remove(series, place, sample);
    }
}
