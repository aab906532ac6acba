/* capacity_foot.c: the capacity at the foot of a rise. */
#include "curve/capacity_foot.h"
#include "base/stats.h"
#include <math.h>

/* A rise surely has begun where it exceeds `foot_rises` of what it reaches near by (knee_near(), or
 * `foot_step` of the whole step) by ERRORS_SURE errors; less may come from reading the timer, after
 * which a chain that just fits misses for a round. It may have begun from `foot_begins` on. The
 * plateau before it is that of the points from `foot_plateau` of that size on. The foot, and the
 * capacity of a sharp step, are known to a part of `foot_off`; a gradual rise may hide a level
 * `foot_occupied` times as large. [prior]
 */
static const double foot_rises = 0.1, foot_begins = 0.03, foot_plateau = 0.7, foot_off = 0.015,
                    foot_occupied = 1.5, foot_step = 0.1;
enum { ERRORS_SURE = 2, PLATEAU_MOST = 64 };

/* The roundest whole number from low to high: the one with most factors of two, as numbers of
 * entries are; of several the nearest to the middle. */
static double roundest(double low, double high)
{
    double middle = (low + high) / 2, unit = exp2(floor(log2(fmax(1, high))));
    while (unit > 1 && floor(high / unit) * unit < low)
        unit /= 2;
    double best = round(middle / unit) * unit;
    return best < low ? best + unit : best > high ? best - unit : best;
}

double capacity_roundest(double entries, double least, double most, double above)
{
    double off = fmax(1, foot_off * entries);
    return above + roundest(fmax(least, entries - off) - above, fmin(most, entries + off) - above);
}

/* The median of the points before point i, from foot_plateau of its size on (three at least). */
static double plateau_before(const struct curve *curve, size_t i)
{
    double value[PLATEAU_MOST];
    size_t count = 0;
    for (size_t k = i; k-- > 0 && count < PLATEAU_MOST &&
                       (count < 3 || curve->at[k].pages >= foot_plateau * curve->at[i].pages);)
        value[count++] = curve->at[k].ns;
    return stats_median(value, count);
}

/* Where a rise begins: its first point that may lie above the plateau, and the first that surely
 * does; `near` is beyond its level. */
struct beginning {
    size_t first, sure, near;
};

/* The rise reaches so much near point `from`; a part of the whole step at least, since less may be
 * a neighbour's. */
static struct beginning beginning_near(const struct curve *curve, const struct knee *knee,
                                       size_t from)
{
    const struct curve_point *at = curve->at;
    size_t near = knee_near(curve, knee, from), first = knee->after, sure = from;
    double local = fmax(at[near].ns - plateau_before(curve, from), foot_step * knee->step_ns);
    while (first > 1 && at[first - 1].ns - plateau_before(curve, first - 1) >= foot_begins * local)
        first--;
    while (first < near && at[first].ns - plateau_before(curve, first) < foot_begins * local)
        first++;
    while (sure < near &&
           at[sure].ns - ERRORS_SURE * at[sure].error - plateau_before(curve, first) <
               foot_rises * local)
        sure++;
    return (struct beginning){first, sure, near};
}

/* The line through the first two points of the rise meets the plateau before it. The range begins
 * at the last point before anything rises, of a sharp step where the knee begins, and ends at the
 * first that surely has risen. */
struct capacity capacity_at_foot(const struct curve *curve, const struct knee *knee)
{
    const struct curve_point *at = curve->at;
    struct beginning b = {.sure = knee->after};
    size_t from;
    do { /* what a neighbour takes may seem to be the beginning */
        from = b.sure;
        b = beginning_near(curve, knee, from);
    } while (b.sure > from && b.sure < b.near);
    size_t i = b.sure;
    double slope = i < b.near ? (at[i + 1].ns - at[i].ns) / (at[i + 1].pages - at[i].pages) : 0;
    double foot = at[i - 1].pages, least = at[b.first - 1].pages, most = at[i].pages - 1;
    if (!knee->gradual)
        least = fmin(least, at[knee->before].pages);
    if (slope > 0)
        foot = fmin(most,
                    fmax(foot, at[i].pages - (at[i].ns - plateau_before(curve, b.first)) / slope));
    double entries = capacity_roundest(foot, least, most, 0);
    if (knee->gradual) /* entries that a neighbour holds all the time look like this */
        most = fmax(most, round(foot_occupied * entries));
    return (struct capacity){entries, least, most, knee->step_ns, {.rule = RULE_LRU}, true};
}

bool capacity_is_near(const struct capacity *foot, double entries)
{
    double off = foot_off * foot->entries;
    return entries >= foot->least - off && entries <= foot->most + off;
}
