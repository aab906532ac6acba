/* knee.c: knees: where a curve rises from one plateau to the next. */
#include "tlb/curve/knee.h"
#include <math.h>

/* A rise counts if the mean of POINTS points is `errors_least` standard errors above the plateau
 * and each of them `point_errors`. [significance] */
static const double errors_least = 6, point_errors = 3;
enum { POINTS = 3 };

/* A rise is at least this fraction of a load's time: page colour or code alignment may cause less.
 * [prior] */
static const double share_least = 0.025;

/* Lower limit of a point's standard error, as a fraction of a load's time. [prior] */
static const double point_floor = 0.001;

/* A knee's step is at least this fraction of a load's time before it. Page-table entries moving
 * from one cache to the next cost less, and changes of the clock frequency a tenth. [prior] */
static const double knee_step_least = 0.25;

/* Half of a level's step is reached within this factor of its start (random replacement: 1.39). A
 * slower rise comes from page-table entries that fall out of one cache after another. [physics] */
static const double half_way_most = 3.2;

/* A step is gradual if half of it lies beyond this many times its start. With LRU, W ways and
 * evenly filled sets, half lies at 1 + 1/(2W) times the capacity. [physics] */
static const double half_way_sharp = 7.0 / 6;

/* A rise starts at this fraction of its step. [prior] */
static const double begins = 0.05;

/* A rise has levelled off at a point if sizes around half an octave above, between these multiples,
 * add less than this fraction of the rise so far. [prior] */
static const double levels_off = 0.1, above_from = 1.4, above_to = 1.5;

/* A point within this many standard errors of the upper plateau may be on it. [significance] */
static const double end_errors = 2;

static double variance(const struct curve_point *p)
{
    double floor = point_floor * p->load_ns;
    return p->error * p->error + floor * floor;
}

/* The plateau that ends before point i: the mean over the octave below it, weighted by precision
 * (at least POINTS points, none before `start`). Its standard error is scaled by the root of the
 * reduced chi-square if that exceeds 1. */
static double plateau(const struct curve *c, size_t start, size_t i, double *error)
{
    double weight = 0, sum = 0, chi = 0, size = c->at[i].pages;
    size_t first = i;
    while (first > start && (i - first < POINTS || c->at[first - 1].pages >= size / 2))
        first--;
    for (size_t k = first; k < i; k++) {
        double w = 1 / variance(&c->at[k]);
        weight += w;
        sum += w * c->at[k].ns;
    }
    double mean = sum / weight;
    for (size_t k = first; k < i; k++)
        chi += (c->at[k].ns - mean) * (c->at[k].ns - mean) / variance(&c->at[k]);
    double scale = i - first > 1 ? sqrt(fmax(1, chi / (double)(i - first - 1))) : 1;
    *error = scale / sqrt(weight);
    return mean;
}

static bool is_above(const struct curve_point *p, double base, double base_error)
{
    return p->ns - base > point_errors * hypot(p->error, base_error);
}

/* Whether POINTS points from i on (at the end at least two) and their mean lie above the plateau.
 */
static bool rises_at(const struct curve *c, size_t i, double base, double base_error)
{
    double weight = 0, sum = 0;
    if (i + 1 >= c->count)
        return false;
    for (size_t k = i; k < i + POINTS && k < c->count; k++) {
        double rise = c->at[k].ns - base;
        if (rise <= share_least * c->at[k].load_ns || !is_above(&c->at[k], base, base_error))
            return false;
        weight += 1 / variance(&c->at[k]);
        sum += rise / variance(&c->at[k]);
    }
    return sum / weight > errors_least * sqrt(1 / weight + base_error * base_error);
}

/* The precision-weighted mean and standard error of the points half an octave above point j, or of
 * the next point beyond; *last is the last point used. Just point j if no points follow. */
static double mean_above(const struct curve *c, size_t j, double *error, size_t *last)
{
    double weight = 0, sum = 0, size = c->at[j].pages;
    size_t first = j + 1;
    for (*last = j;
         *last + 1 < c->count && (*last == j || c->at[*last + 1].pages <= above_to * size);)
        ++*last;
    while (first < *last && c->at[first].pages < above_from * size)
        first++;
    for (size_t k = first > *last ? j : first; k <= *last; k++) {
        weight += 1 / variance(&c->at[k]);
        sum += c->at[k].ns / variance(&c->at[k]);
    }
    *error = sqrt(1 / weight);
    return sum / weight;
}

/* The first point from `after` on beyond which half an octave adds little to the rise, within the
 * noise. *mean and *error are those of these points. */
static size_t find_end(const struct curve *c, size_t after, double base, double *mean,
                       double *error)
{
    for (size_t j = after; j < c->count; j++) {
        size_t last;
        *mean = mean_above(c, j, error, &last);
        double little = levels_off * (c->at[j].ns - base);
        if (last == j ||
            (*mean - c->at[j].ns <= fmax(little, end_errors * c->at[j].error) &&
             c->at[last].ns - c->at[j].ns <=
                 2 * fmax(little, end_errors * hypot(c->at[j].error, c->at[last].error))))
            return j;
    }
    return c->count - 1;
}

double knee_size_at(const struct curve *c, const struct knee *knee, double part)
{
    double wanted = knee->plateau_ns + part * knee->step_ns;
    size_t i = knee->after;
    while (i < knee->end && c->at[i].ns < wanted)
        i++;
    const struct curve_point *p = &c->at[i - 1], *q = &c->at[i];
    double share = q->ns > p->ns ? (wanted - p->ns) / (q->ns - p->ns) : 1;
    return p->pages + fmin(1, fmax(0, share)) * (q->pages - p->pages);
}

/* Sets the knee's end and upper plateau; false if its step is too small, or its rise too long, for
 * a level. */
static bool describe(const struct curve *c, size_t end, double upper, double upper_error,
                     struct knee *knee)
{
    knee->end = end;
    knee->step_ns = upper - knee->plateau_ns;
    knee->significance = knee->step_ns / fmax(hypot(knee->plateau_error, upper_error), 1e-12);
    double half_way = knee_size_at(c, knee, 0.5), from = knee_size_at(c, knee, begins);
    knee->gradual = end > knee->after && half_way > half_way_sharp * from;
    knee->reaches_end = end + 1 >= c->count;
    return knee->step_ns >= knee_step_least * c->at[knee->before].load_ns &&
           half_way <= half_way_most * from;
}

size_t knee_find(const struct curve *c, struct knee knees[KNEES_MAX])
{
    size_t found = 0, start = 0;
    for (size_t i = 2; i < c->count && found < KNEES_MAX; i++) {
        double error;
        if (i < start + 2)
            continue;
        double base = plateau(c, start, i, &error);
        if (!rises_at(c, i, base, error))
            continue;
        double upper = base, upper_error = error;
        size_t end = find_end(c, i, base, &upper, &upper_error);
        knees[found] = (struct knee){
            .before = i - 1, .after = i, .plateau_ns = base, .plateau_error = error};
        found += describe(c, end, upper, upper_error, &knees[found]);
        start = i = end;
    }
    return found;
}
