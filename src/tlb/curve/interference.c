/* interference.c: signs that a busy hardware thread occupied entries of a TLB level. */
#include "tlb/curve/interference.h"

/* The smallest size examined, as a fraction of the last that fits. [prior] */
static const double from_part = 0.7;

/* The usual sample is slower by more than this fraction of the rise. [prior] */
static const double rise_part = 0.03;

/* Samples needed at a size to compare median and minimum. [significance] */
enum { SAMPLES_LEAST = 4 };

bool interference_at(const struct series *series, const struct point *page,
                     const struct curve *curve, const struct knee *knee, double to)
{
    const struct point *packed = curve_packed(series, page);
    double last = curve->at[knee->before].pages, sum = 0, count = 0;
    for (size_t i = 0; packed != NULL && i < series->count; i++) {
        const struct group *group = &series->groups[i];
        double pages = (double)group->point.pages;
        if (!point_same_curve(&group->point, page) || pages > to * last || pages < from_part * last)
            continue;
        const struct group *beside = curve_beside(series, group, packed);
        if (beside == NULL || group->count < SAMPLES_LEAST || beside->count < SAMPLES_LEAST)
            continue;
        sum += (group_scatter(group) - group_scatter(beside)) * group_fastest(group, 0.5);
        count++;
    }
    double rise = curve->at[knee_near(curve, knee, knee->after)].ns - knee->plateau_ns;
    return sum > count * rise_part * rise;
}
