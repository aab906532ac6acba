/* fastest.c: counts the misses of the fastest laps of a curve. */
#include "tlb/laps/fastest.h"
#include "tlb/laps/fits.h"
#include <math.h>

/* Noise adds less than so many standard errors. [significance] */
static const double noise_errors = 3;

/* The misses of a lap at point i, if the loads that miss are those of this knee. */
static double misses_at(const struct curve *curve, const struct knee *knee, size_t i)
{
    const struct curve_point *p = &curve->at[i];
    return p->pages * (p->ns - knee->plateau_ns) / knee->step_ns;
}

struct level fastest_level(const struct curve *curve, const struct knee *knee)
{
    struct level level = {.entries = NAN, .knee = *knee};
    const struct curve_point *at = curve->at;
    size_t half = knee->after, last;
    while (half < knee->end && misses_at(curve, knee, half) < at[half].pages / 2)
        half++;
    for (last = half - 1; last > 0 && misses_at(curve, knee, last) >= 1;)
        last--;
    level.least = at[last].pages;
    level.most = at[half].pages;
    double noise = noise_errors * hypot(at[last + 1].error, knee->plateau_error) / knee->step_ns;
    if (at[last + 1].pages == at[last].pages + 1 &&
        misses_at(curve, knee, last + 1) >= too_many_alone + noise * at[last + 1].pages) {
        level.entries = level.most = level.least;
        level.criteria = 1;
    }
    return level;
}
