/* numbers.c: how many targets of a family fit, and which families an answer needs. */
#include "tlb/geometry/numbers.h"
#include "base/error.h"
#include "tlb/detect/control.h"
#include <math.h>
#include <stdlib.h>

struct numbers numbers_of(const struct series *series)
{
    const struct point *pages[CONTROLS_MAX];
    struct numbers numbers = {.families = families_of(series)};
    if (numbers.families.count == 0 || control_curves(series, pages) == 0)
        return numbers;
    struct curve difference = curve_control(series, pages[0]);
    numbers.laps = laps_of(&numbers.families, NULL);
    numbers.level_count = laps_levels(&numbers.laps, &difference, numbers.levels);
    curve_free(&difference);
    return numbers;
}

void numbers_free(struct numbers *numbers)
{
    families_free(&numbers->families);
    free(numbers->asked);
    *numbers = (struct numbers){.count = 0};
}

double numbers_fit(struct numbers *numbers, const struct question *question)
{
    if (numbers->count == numbers->room) {
        numbers->room = numbers->room > 0 ? 2 * numbers->room : 16;
        numbers->asked = reallocate(numbers->asked, numbers->room, sizeof *numbers->asked);
    }
    numbers->asked[numbers->count++] = *question;
    struct fits fits = fits_of(family_like(&numbers->families, &question->like),
                               question->miss_hits, question->too_many);
    if (fits.fits >= question->to)
        return INFINITY;
    if (!fits_bounded(&fits))
        return NAN;
    numbers->held = numbers->held || fits_held(&fits);
    return (double)fits.fits;
}

double numbers_ways(const struct fits *fits)
{
    return fits_bounded(fits) && !fits_held(fits) ? (double)fits->fits : (double)NAN;
}
