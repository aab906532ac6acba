/* geometry.c: the points that show the organisation of a TLB. */
#include "tlb/geometry/answers.h"
#include "tlb/geometry/organisation.h"
#include "tlb/plan/presets.h"
#include "tlb/plan/questions.h"
#include <stdlib.h>

/* Samples of an overloaded set: each has another order, and the mean counts. [tuned: unknown] */
enum { SAMPLES = 64 };

/* Asks for the moments that the analysis needed and did not find. */
static size_t ask(struct answers *answers, bool settle, struct point **points)
{
    struct points list = {0};
    uint64_t moment = answers->families.last;
    for (size_t i = 0; i < answers->count; i++) {
        const struct question *q = &answers->asked[i];
        const struct family *family = family_like(&answers->families, &q->like);
        struct fits fits = fits_of(family, q->miss_hits, q->too_many);
        questions_ask(q, family, &fits, settle, &moment, &list);
    }
    *points = list.at;
    return list.count;
}

static void request_overload(struct batch *batch, const struct overload *overload)
{
    struct point points[REPLACEMENT_POINTS];
    if (overload->ways == 0)
        return;
    replacement_points(overload, points);
    for (int i = 0; i < REPLACEMENT_POINTS; i++)
        request_point(batch, &points[i], SAMPLES);
}

size_t plan_geometry(struct batch *batch, bool settle, struct point **points)
{
    struct organisation rows[ORGANISATION_LEVELS];
    struct answers answers = answers_of(batch->series);
    size_t levels = organisation_of(&answers, rows), count = ask(&answers, settle, points);
    answers_free(&answers);
    if (count > 0 || !settle)
        return count;
    for (size_t i = 0; i < levels; i++)
        request_overload(batch, &rows[i].overload);
    return batch_points(batch, points);
}
