/* caches.c: capacities of the caches, with the range of each transition.
 *
 *     caches_detect(&series, derivative_line(&series), &found);
 */
#include "caches.h"
#include "derivative.h"
#include "error.h"
#include "stats.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A rise from a tenth to nine tenths over this ratio of sizes or more is gradual. */
static const double gradual_width = 4.0 / 3, scatter_most = 0.2;

/* A sharp rise has no size within; those beside it, up to this ratio, speak for it. */
static const double beside = 1.2;

/* A transition with the sizes at which parts of its step are done. */
struct rise {
    const struct curve *curve;
    const struct transition *t;
    double step, tenth, half, nine_tenths;
    double scatter; /* of a size's samples, the median of the sizes in the rise, by the step */
};

static double size_at(const struct rise *r, double part)
{
    size_t below;
    return derivative_crossing(r->curve, r->t, r->t->lower_ns + part * r->step, &below);
}

static double spread_of(const struct group *group)
{
    double *copy = allocate(group->count, 2 * sizeof *copy);
    memcpy(copy, group->ns, group->count * sizeof *copy);
    double median = stats_median(copy, group->count);
    double spread = stats_mad(copy, group->count, median, copy + group->count);
    free(copy);
    return spread;
}

static double scatter_of(const struct rise *r, const struct series *series,
                         const struct point *line)
{
    double *spreads = allocate(series->count, sizeof *spreads);
    double first = r->tenth / beside, last = beside * r->nine_tenths;
    size_t count = 0;
    for (size_t i = 0; i < series->count; i++) {
        const struct group *g = &series->groups[i];
        double lines = (double)g->point.pages;
        if (point_same_curve(&g->point, line) && lines >= first && lines <= last)
            spreads[count++] = spread_of(g);
    }
    double scatter = count > 0 ? stats_median(spreads, count) / r->step : 0;
    free(spreads);
    return scatter;
}

static struct rise rise_of(const struct curve *curve, const struct transition *t,
                           const struct series *series, const struct point *line)
{
    struct rise r = {.curve = curve, .t = t, .step = t->upper_ns - t->lower_ns};
    r.tenth = size_at(&r, 0.1);
    r.half = size_at(&r, 0.5);
    r.nine_tenths = size_at(&r, 0.9);
    r.scatter = scatter_of(&r, series, line);
    return r;
}

static double hit_share(const struct rise *r, size_t i)
{
    return fmin(1, fmax(0, (r->t->upper_ns - r->curve->at[i].ns) / r->step));
}

/* The area under the hit share, in lines. */
static double area(const struct rise *r)
{
    double sum = r->curve->at[r->t->first].pages;
    for (size_t i = r->t->first; i < r->t->last; i++)
        sum += (hit_share(r, i) + hit_share(r, i + 1)) / 2 *
               (r->curve->at[i + 1].pages - r->curve->at[i].pages);
    return sum;
}

/* Where the straight line through a tenth and nine tenths meets the lower plateau. */
static double foot(const struct rise *r)
{
    return fmax(r->curve->at[r->t->first].pages, r->half - 0.5 / 0.8 * (r->nine_tenths - r->tenth));
}

static void judge(struct boundary *b, const struct rise *r, bool gradual)
{
    derivative_judge(b, r->curve, r->t, gradual);
    if (r->scatter > scatter_most) {
        boundary_note(b, "scattered");
        boundary_at_most(b, CONFIDENCE_MEDIUM);
    }
    if (r->t->slopes > 1) {
        boundary_note(b, "two_slopes");
        boundary_at_most(b, CONFIDENCE_LOW);
    }
}

static void add_row(struct boundaries *found, const struct rise *r, int level, double spacing)
{
    struct boundary *b = boundary_add(found, "cache", level, "caches");
    bool gradual = r->nine_tenths >= gradual_width * r->tenth;
    if (b == NULL)
        return;
    b->entries_min = r->tenth;
    if (!r->t->reaches_end) {
        b->entries = gradual ? area(r) : foot(r);
        b->entries_min = fmin(r->tenth, b->entries);
        b->entries_max = fmax(r->nine_tenths, b->entries);
    }
    b->bytes_min = round(b->entries_min * spacing);
    b->bytes_max = round(b->entries_max * spacing);
    b->plateau_ns = r->t->lower_ns;
    b->step_ns = r->step;
    b->step_percent = 100 * b->step_ns / b->plateau_ns;
    judge(b, r, gradual);
}

void caches_detect(const struct series *series, const struct point *line, struct boundaries *found)
{
    struct curve curve = derivative_curve(series, line);
    struct transition t[TRANSITIONS_MOST];
    size_t count = derivative_transitions(&curve, t);
    for (size_t i = 0; i < count; i++) {
        struct rise rise = rise_of(&curve, &t[i], series, line);
        add_row(found, &rise, (int)i + 1, (double)line->spacing);
    }
    curve_free(&curve);
}
