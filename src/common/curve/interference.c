/* interference.c: signs that a busy hardware thread occupied entries of a TLB level. */
#include "curve/interference.h"
#include "base/error.h"
#include "base/stats.h"
#include <math.h>
#include <stdlib.h>

/* Least number of pairs for the spread of each half, and of sizes that agree. [significance] */
enum { PAIRS_LEAST = 8, SIZES_LEAST = 2 };

/* A change is at least this part of the step and so many standard errors. [significance] */
static const double step_part = 0.25, errors_least = 5;

/* Under interference a rise extends to more than this many times the size before it.
 * [tuned: unknown] */
static const double rise_long = 1.6;

/* Change of the quotient page / packed at one size, from the first half of the run to the second.
 */
struct change {
    double by, error;
    double packed_ns; /* median */
};

/* The quotients of samples with the same number, in chronological order. */
static size_t quotients(const struct group *page, const struct group *packed, double *quotient)
{
    size_t count = 0;
    for (size_t i = 0, k = 0; i < page->count; i++) {
        while (k < packed->count && packed->sample[k] < page->sample[i])
            k++;
        if (k < packed->count && packed->sample[k] == page->sample[i] && packed->ns[k] > 0)
            quotient[count++] = page->ns[i] / packed->ns[k++];
    }
    return count;
}

/* Median of a half; adds the variance of that median. */
static double half_median(const double *values, size_t count, double *scratch, double *variance)
{
    for (size_t i = 0; i < count; i++)
        scratch[i] = values[i];
    double median = stats_median(scratch, count);
    double error = STATS_MEDIAN_ERROR * stats_mad(values, count, median, scratch) /
                   sqrt((double)count);
    *variance += error * error;
    return median;
}

static bool find_change(const struct group *page, const struct group *packed, struct change *change)
{
    double *memory = allocate(page->count, 2 * sizeof *memory), variance = 0;
    double *quotient = memory, *scratch = memory + page->count;
    size_t count = quotients(page, packed, quotient), half = count / 2;
    if (count >= PAIRS_LEAST) {
        double early = half_median(quotient, half, scratch, &variance);
        double late = half_median(quotient + count - half, half, scratch, &variance);
        *change = (struct change){late - early, sqrt(variance), group_quantile(packed, 0.5)};
    }
    free(memory);
    return count >= PAIRS_LEAST;
}

/* Whether a size lies within an octave of knee k and not beyond a neighbouring knee. */
static bool is_near(const struct curve *curve, const struct knee *knees, size_t count, size_t k,
                    double pages)
{
    const struct curve_point *at = curve->at;
    double from = at[knees[k].before].pages / 2, to = at[knees[k].end].pages * 2;
    if (k > 0)
        from = fmax(from, at[knees[k - 1].end].pages);
    if (k + 1 < count)
        to = fmin(to, at[knees[k + 1].before].pages);
    return pages >= from && pages <= to;
}

bool interference_two_states(const struct series *series, const struct point *page,
                             const struct curve *curve, const struct knee *knees, size_t count,
                             size_t k)
{
    const struct point *packed = curve_packed(series, page);
    int slower = 0, faster = 0;
    for (size_t i = 0; packed != NULL && i < series->count; i++) {
        const struct group *group = &series->groups[i];
        struct point partner = *packed;
        struct change change;
        partner.pages = group->point.pages;
        const struct group *beside = series_find(series, &partner);
        if (!point_same_curve(&group->point, page) || beside == NULL ||
            !is_near(curve, knees, count, k, (double)group->point.pages) ||
            !find_change(group, beside, &change))
            continue;
        double least = step_part * knees[k].step_ns / change.packed_ns;
        if (fabs(change.by) >= fmax(least, errors_least * change.error))
            ++*(change.by > 0 ? &slower : &faster);
    }
    return slower >= SIZES_LEAST || faster >= SIZES_LEAST;
}

bool interference_long_rise(const struct curve *curve, const struct knee *knee)
{
    return curve->at[knee->end].pages > rise_long * curve->at[knee->before].pages;
}
