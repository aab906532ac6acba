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

/* The last size of a curve of which few loads miss the cache that ends at the knee. */
static double last_hit(const struct curve *curve, const struct knee *knee)
{
    size_t last = knee->end;
    while (last > 0 && curve->at[last].ns > knee->plateau_ns + missing_max * knee->step_ns)
        last--;
    return curve->at[last].pages;
}

struct boundary *caches_add(struct boundaries *found, const struct curve *curve,
                            const struct knee *knee, int level, const char *method)
{
    struct boundary *b = boundary_add(found, STRUCTURE_CACHE, level, method);
    struct level counted = laps_fastest(curve, knee);
    if (isnan(counted.entries)) {
        counted.least = last_hit(curve, knee);
        counted.most = knee->reaches_end ? NAN : curve->at[knee->end].pages;
    }
    boundary_set_level(b, &counted, curve->spacing);
    boundary_set_step(b, knee->plateau_ns, knee->step_ns);
    b->criteria = criteria_of(curve, knee);
    return b;
}

void caches_detect(const struct series *series, const struct point *line, struct boundaries *found)
{
    struct curve curve = curve_alone(series, line);
    struct knee knees[KNEES_MAX];
    size_t count = knee_find(&curve, knees);
    for (size_t i = 0; i < count; i++)
        caches_add(found, &curve, &knees[i], (int)i + 1, "caches");
    curve_free(&curve);
}
