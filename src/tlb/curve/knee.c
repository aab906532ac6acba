/* knee.c: knees: where a curve rises from one plateau to the next. */
#include "tlb/curve/knee.h"
#include <math.h>

/* Noise adds less than so many standard errors. A rise begins where POINTS points in a row are so
 * far above the plateau, and this fraction of a load's time: page colour or code alignment may
 * cause less. [significance] */
const double noise_errors = 3;
static const double share_min = 0.025;
enum { POINTS = 3 };

/* A knee's step is at least this fraction of a load's time before it. Page-table entries moving
 * from one cache to the next cost less, and changes of the clock frequency a tenth. [prior] */
static const double knee_step_least = 0.25;

/* A rise has levelled off at a point if half an octave above adds less than this fraction of the
 * rise so far. [prior] */
static const double levels_off = 0.1;

/* A step is gradual if half of it lies beyond this many times its start. With LRU, W ways and
 * evenly filled sets, half lies at 1 + 1/(2W) times the capacity. [physics] */
static const double half_way_sharp = 7.0 / 6;

double knee_plateau(const struct curve *c, size_t start, size_t i, double *error)
{
    double sum = 0, squares = 0, count = 0;
    size_t first = i;
    while (first > start && (i - first < POINTS || c->at[first - 1].pages >= c->at[i].pages / 2)) {
        sum += c->at[--first].ns;
        count++;
    }
    for (size_t k = first; k < i; k++) {
        double off = hypot(c->at[k].ns - sum / count, c->at[k].error);
        squares += off * off;
    }
    *error = sqrt(squares) / count;
    return sum / count;
}

/* Whether POINTS points from i on (at the end at least two) lie above the plateau. */
static bool rises_at(const struct curve *c, size_t i, double base, double base_error)
{
    bool rises = i + 1 < c->count;
    for (size_t k = i; k < i + POINTS && k < c->count; k++) {
        const struct curve_point *p = &c->at[k];
        rises = rises && p->ns - base > fmax(share_min * p->load_ns,
                                             noise_errors * hypot(p->error, base_error));
    }
    return rises;
}

/* The point half an octave above point j, the next one if that is farther, or the last. */
static size_t above(const struct curve *c, size_t j)
{
    size_t k = j;
    while (k + 1 < c->count && (k == j || c->at[k + 1].pages * c->at[k + 1].pages <=
                                              2 * c->at[j].pages * c->at[j].pages))
        k++;
    return k;
}

/* The first point from `after` on beyond which half an octave adds little to the rise. */
static size_t find_end(const struct curve *c, size_t after, double base)
{
    size_t j = after;
    while (c->at[above(c, j)].ns - c->at[j].ns > levels_off * (c->at[j].ns - base))
        j++;
    return j;
}

double knee_size_at(const struct curve *c, const struct knee *knee, double part)
{
    double wanted = knee->plateau_ns + part * knee->step_ns;
    size_t i = knee->after;
    while (i < knee->end && c->at[i].ns < wanted)
        i++;
    const struct curve_point *p = &c->at[i > 0 ? i - 1 : 0], *q = &c->at[i]; /* 0: a single size */
    double share = q->ns > p->ns ? (wanted - p->ns) / (q->ns - p->ns) : 1;
    return p->pages + fmin(1, fmax(0, share)) * (q->pages - p->pages);
}

/* Sets the rest of a knee; false if its step is too small for a level. */
static bool describe(const struct curve *c, struct knee *knee)
{
    const struct curve_point *before = &c->at[knee->before];
    knee->step_ns = c->at[above(c, knee->end)].ns - knee->plateau_ns;
    knee->gradual = knee->end > knee->after &&
                    knee_size_at(c, knee, 0.5) > half_way_sharp * before->pages;
    knee->reaches_end = knee->end + 1 >= c->count;
    return knee->step_ns >= knee_step_least * before->load_ns;
}

size_t knee_find(const struct curve *c, struct knee knees[KNEES_MAX])
{
    size_t found = 0, start = 0;
    for (size_t i = 2; i < c->count && found < KNEES_MAX; i++) {
        struct knee *knee = &knees[found];
        if (i < start + 2)
            continue;
        knee->plateau_ns = knee_plateau(c, start, i, &knee->plateau_error);
        if (!rises_at(c, i, knee->plateau_ns, knee->plateau_error))
            continue;
        knee->before = i - 1;
        knee->after = i;
        start = i = knee->end = find_end(c, i, knee->plateau_ns);
        found += describe(c, knee);
    }
    return found;
}
