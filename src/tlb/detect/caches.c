/* caches.c: the range of each cache, from one latency curve.
 *
 *     caches_detect(&series, curve_line(&series), &found);
 */
#include "tlb/detect/caches.h"
#include "tlb/laps/levels.h"
#include <math.h>

/* With fewer samples of a size it may have been disturbed. [significance] */
enum { SAMPLES_LEAST = 3 };

/* So many loads may miss of a chain that fits: noise, and lines of others. [prior] */
static const double missing_max = 0.02;

static int criteria_of(const struct curve *curve, const struct knee *knee)
{
    for (size_t i = knee->before; i <= knee->end; i++)
        if (curve->at[i].samples < SAMPLES_LEAST)
            return 0;
    return 2;
}

double caches_hold(const struct curve *curve, const struct knee *knee)
{
    size_t last = knee->end;
    while (last > 0 && curve->at[last].ns > knee->plateau_ns + missing_max * knee->step_ns)
        last--;
    return curve->at[last].pages;
}

/* The last size of which few loads miss, and the first of which nearly all do, or NaN; unless lines
 * are counted. */
static void set_range(struct boundary *b, const struct curve *curve, const struct knee *knee,
                      double spacing)
{
    struct level level = laps_fastest(curve, knee);
    b->entries = level.entries;
    if (isnan(b->entries))
        boundary_set_range(b, caches_hold(curve, knee),
                           knee->reaches_end ? NAN : curve->at[knee->end].pages, spacing);
    else
        boundary_set_range(b, level.least, level.most, spacing);
}

void caches_detect(const struct series *series, const struct point *line, struct boundaries *found)
{
    struct curve curve = curve_alone(series, line);
    struct knee knees[KNEES_MAX];
    size_t count = knee_find(&curve, knees);
    for (size_t i = 0; i < count; i++) {
        struct boundary *b = boundary_add(found, STRUCTURE_CACHE, (int)i + 1, "caches");
        set_range(b, &curve, &knees[i], (double)line->spacing);
        boundary_set_step(b, knees[i].plateau_ns, knees[i].step_ns);
        b->criteria = criteria_of(&curve, &knees[i]);
        if (knees[i].gradual)
            note_add(&b->note, NOTE_GRADUAL);
        if (knees[i].reaches_end)
            note_add(&b->note, NOTE_AT_END_OF_SWEEP);
    }
    curve_free(&curve);
}
