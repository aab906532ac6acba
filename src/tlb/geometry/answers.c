/* answers.c: how many targets of a family fit, and which families an answer needs. */
#include "tlb/geometry/answers.h"
#include "base/error.h"
#include "tlb/detect/page_curves.h"
#include <math.h>
#include <stdlib.h>

/* Pages of one set that surely fit into the first level, and into the second. [prior] */
enum { SET_FEW = 2, FLUSHED_FEW = 3 };

struct answers answers_of(const struct series *series)
{
    const struct point *pages[PAGE_CURVES_MAX];
    struct answers answers = {.families = families_of(series)};
    if (answers.families.count == 0 || page_curves_points(series, pages) == 0)
        return answers;
    struct curve difference = curve_difference(series, pages[0]);
    answers.counted = counted_of(&answers.families, NULL);
    answers.level_count = laps_levels(&answers.counted, &difference, answers.levels);
    curve_free(&difference);
    return answers;
}

void answers_free(struct answers *answers)
{
    families_free(&answers->families);
    free(answers->asked);
    *answers = (struct answers){.count = 0};
}

void answers_ask(struct answers *answers, const struct question *question)
{
    answers->asked = extend(answers->asked, answers->count, sizeof *answers->asked);
    answers->asked[answers->count++] = *question;
}

double answers_to(struct answers *answers, const struct question *question)
{
    answers_ask(answers, question);
    struct fits fits = fits_of(family_like(&answers->families, &question->like),
                               question->miss_hits, question->excess_misses);
    if (fits.fits >= question->to)
        return INFINITY;
    return fits_bounded(&fits) ? (double)fits.fits : (double)NAN;
}

int answers_grow(struct answers *answers, struct question question, double number)
{
    question.to = (uint64_t)(laps_grown * number) + 1;
    double fit = answers_to(answers, &question);
    return isnan(fit) ? -1 : isinf(fit) != 0;
}

struct question answers_set(const struct counted *counted, struct point like, bool flushed)
{
    return (struct question){
        .like = like,
        .few = flushed ? FLUSHED_FEW : SET_FEW,
        .miss_hits = flushed ? counted->second.miss_hits : counted->pages.miss_hits,
        .excess_misses = flushed && counted->exclusive ? excess_exclusive : excess_alone};
}

double answers_ways(const struct fits *fits)
{
    return fits_bounded(fits) && !fits_held(fits) ? (double)fits->fits : (double)NAN;
}
