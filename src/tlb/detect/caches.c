/* caches.c: capacities of the caches, even where a transition is gradual.
 *
 *     caches_detect(&series, derivative_line(&series), &found);
 */
#include "tlb/detect/caches.h"
#include "access/kernel.h"
#include "base/error.h"
#include "base/stats.h"
#include "tlb/curve/occupancy_fit.h"
#include "tlb/detect/derivative.h"
#include <math.h>
#include <stdlib.h>

/* A rise is scattered if the samples of a size spread by more than this fraction of its step.
 * [significance] */
static const double scatter_most = 0.2;

/* Sizes within this ratio of a rise count towards its spread: sharp rises contain none. [prior] */
static const double beside = 1.2;

/* Sizes of kernel `random` used by the fit, as fractions of the size at half of the step: the first
 * and the last; the first as a multiple of the cache before, which must be full; the minimum for
 * the largest; and the last one at which page frames have no effect. [prior] */
static const double drawn_first = 0.125, drawn_last = 2.6, drawn_full = 1.5, drawn_enough = 2,
                    drawn_steady = 0.4;

/* Under interference the capacity is this far from the fit to the area, in logs. [tuned: unknown]
 */
static const double interference_part = 0.25;

/* Limits of the capacity, as fractions of the size at half of the step, which is 0.95 (LRU) to 1.4
 * (random replacement) of the capacity. [physics] */
static const double capacity_least = 0.6, capacity_most = 1.25;

/* A transition caused by a single size is real if that size has this many samples. [significance]
 */
enum { SAMPLES_ENOUGH = 3 };

/* A transition, and the sizes at given fractions of its step. */
struct cache_rise {
    const struct curve *curve;
    const struct transition *t;
    double step, tenth, half, nine_tenths;
    double
        scatter; /* median spread of the samples of a size in the rise, as a fraction of the step */
};

static double size_at(const struct cache_rise *r, double part)
{
    size_t below;
    return derivative_crossing(r->curve, r->t, r->t->lower_ns + part * r->step, &below);
}

static double scatter_of(const struct cache_rise *r, const struct series *series,
                         const struct point *line)
{
    double *spreads = allocate(series->count, sizeof *spreads);
    double first = r->tenth / beside, last = beside * r->nine_tenths;
    size_t count = 0;
    for (size_t i = 0; i < series->count; i++) {
        const struct group *g = &series->groups[i];
        double lines = (double)g->point.pages;
        if (point_same_curve(&g->point, line) && lines >= first && lines <= last)
            spreads[count++] = stats_mad(g->ns, g->count);
    }
    double scatter = count > 0 ? stats_median(spreads, count) / r->step : 0;
    free(spreads);
    return scatter;
}

static struct cache_rise rise_of(const struct curve *curve, const struct transition *t,
                                 const struct series *series, const struct point *line)
{
    struct cache_rise r = {.curve = curve, .t = t, .step = t->upper_ns - t->lower_ns};
    r.tenth = size_at(&r, 0.1);
    r.half = size_at(&r, 0.5);
    r.nine_tenths = size_at(&r, 0.9);
    r.scatter = scatter_of(&r, series, line);
    return r;
}

static double hit_ratio(const struct cache_rise *r, size_t i)
{
    return fmin(1, fmax(0, (r->t->upper_ns - r->curve->at[i].ns) / r->step));
}

/* The area under the hit ratio, in lines. */
static double area(const struct cache_rise *r)
{
    double sum = r->curve->at[r->t->first].pages;
    for (size_t i = r->t->first; i < r->t->last; i++)
        sum += (hit_ratio(r, i) + hit_ratio(r, i + 1)) / 2 *
               (r->curve->at[i + 1].pages - r->curve->at[i].pages);
    return sum;
}

/* The capacity at a sharp step: where the straight line through a tenth and nine tenths of the step
 * meets the lower plateau. */
static double sharp_capacity(const struct cache_rise *r)
{
    return fmax(r->curve->at[r->t->first].pages, r->half - 0.5 / 0.8 * (r->nine_tenths - r->tenth));
}

struct drawn_sizes caches_drawn_sizes(double half)
{
    return (struct drawn_sizes){drawn_first * half, drawn_last * half};
}

const struct point *caches_drawn(const struct series *series, const struct point *line)
{
    for (size_t i = 0; i < series->count; i++) {
        const struct point *p = &series->groups[i].point;
        if (p->kernel->draws && p->layout == line->layout && p->spacing == line->spacing &&
            p->backing == line->backing && p->page_bytes == line->page_bytes)
            return p;
    }
    return NULL;
}

/* The capacity from loads of kernel `random`; NaN if there are too few sizes. A neighbour that
 * takes lines of the cache makes the fit underestimate the capacity. The area never does, so the
 * answer then lies between the two. */
static double random_capacity(const struct cache_rise *r, const struct series *series,
                              const struct point *line, double before)
{
    bool interference;
    struct drawn_sizes sizes = caches_drawn_sizes(r->half);
    double first = fmax(sizes.first, drawn_full * before), lines = NAN, whole = area(r);
    struct curve curve = curve_by_frames(series, caches_drawn(series, line), first,
                                         drawn_steady * r->half, &interference);
    if (curve.count > 0 && curve.at[curve.count - 1].pages >= drawn_enough * r->half)
        lines = occupancy_fit(&curve, first, sizes.last, capacity_least * r->half,
                              capacity_most * r->half, whole,
                              (double)line->page_bytes / (double)line->spacing);
    curve_free(&curve);
    return interference && whole > lines ? lines * pow(whole / lines, interference_part) : lines;
}

/* The capacity in lines; `before` is the capacity of the level before. */
static double capacity(const struct cache_rise *r, bool gradual, const struct series *series,
                       const struct point *line, double before)
{
    double lines = gradual ? random_capacity(r, series, line, before) : sharp_capacity(r);
    return isnan(lines) ? area(r) : lines;
}

/* Sets range, step, evidence and notes. */
static void describe(struct boundary *b, const struct cache_rise *r, bool gradual)
{
    b->entries_min = curve_size_below(r->curve,
                                      fmin(r->tenth, isnan(b->entries) ? r->tenth : b->entries));
    if (!r->t->reaches_end)
        b->entries_max = curve_size_above(r->curve, fmax(r->nine_tenths, b->entries));
    boundary_set_step(b, r->t->lower_ns, r->step);
    derivative_describe(b, r->curve, r->t, gradual);
    if (r->scatter > scatter_most)
        note_add(&b->note, NOTE_SCATTERED);
    if (r->t->slopes > 1)
        note_add(&b->note, NOTE_TWO_SLOPES);
}

/* ---- disturbed sizes ---- */

/* The latency at a point, interpolated log-log between its neighbours; at an end that of its
 * neighbour. */
static double between_neighbours(const struct curve *c, size_t i)
{
    if (i == 0 || i + 1 == c->count)
        return c->at[i == 0 ? 1 : i - 1].ns;
    const struct curve_point *low = &c->at[i - 1], *high = &c->at[i + 1];
    double part = log(c->at[i].pages / low->pages) / log(high->pages / low->pages);
    return low->ns * pow(high->ns / low->ns, part);
}

/* Of the points of few samples whose removal leaves fewer than `count` transitions, the one
 * furthest from its neighbours; curve->count: none. */
static size_t doubtful(const struct curve *curve, size_t count)
{
    struct transition t[TRANSITIONS_MAX];
    double most = 0;
    size_t worst = curve->count;
    for (size_t i = 0; i < curve->count; i++) {
        double ns = curve->at[i].ns, between = between_neighbours(curve, i);
        double off = fabs(log(ns / between));
        if (curve->at[i].samples >= SAMPLES_ENOUGH || off <= most)
            continue;
        curve->at[i].ns = between;
        if (derivative_transitions(curve, t) < count) {
            worst = i;
            most = off;
        }
        curve->at[i].ns = ns;
    }
    return worst;
}

/* The transitions of the curve. If there are more than most machines have, points that cause a
 * transition are replaced by interpolation: long chains have only one or two samples, and a
 * disturbed one creates or divides a rise. */
static size_t find_levels(struct curve *curve, struct transition t[TRANSITIONS_MAX])
{
    size_t count, point;
    while ((count = derivative_transitions(curve, t)) > CACHES_PRIVATE + 1 &&
           (point = doubtful(curve, count)) < curve->count)
        curve->at[point].ns = between_neighbours(curve, point);
    return count;
}

/* ---- the last level ---- */

/* The rise of CACHES_CHAINS chains nearest to a rise of a single chain; false: none. It points into
 * `curve` and `t`. */
static bool find_second(const struct series *series, const struct point *line,
                        const struct cache_rise *r, struct curve *curve,
                        struct transition t[TRANSITIONS_MAX], struct cache_rise *nearest)
{
    struct point several = *line;
    several.chains = CACHES_CHAINS;
    *curve = derivative_curve(series, &several);
    size_t count = find_levels(curve, t);
    for (size_t i = 0; i < count; i++) {
        struct cache_rise next = rise_of(curve, &t[i], series, &several);
        if (i == 0 || fabs(log(next.half / r->half)) < fabs(log(nearest->half / r->half)))
            *nearest = next;
    }
    return count > 0;
}

/* The last levels are shared, and their edges mostly blurred. Such a level gets a capacity only if
 * its rise has one slope and little scatter, and if latency and overlapping misses agree: each
 * capacity lies in the range of the other. The range is then the intersection of both. On a
 * graphics card work items execute in order: their chains wait for one another, so overlapping
 * misses show nothing and a plain rise of latency must do. */
static void confirm(struct boundary *b, const struct cache_rise *r, const struct series *series,
                    const struct point *line)
{
    struct transition t[TRANSITIONS_MAX];
    struct curve curve;
    struct cache_rise other;
    bool plain = r->t->slopes == 1 && !r->t->joined && r->scatter <= scatter_most;
    if (line->backing->device && plain) {
        b->evidence.signs = b->evidence.signs > 0 ? 1 : 0;
        return;
    }
    bool agrees = find_second(series, line, r, &curve, t, &other) && plain && !other.t->reaches_end;
    if (agrees) {
        double lines = derivative_gradual(&curve, other.t) ? area(&other) : sharp_capacity(&other);
        agrees = lines >= b->entries_min && lines <= b->entries_max &&
                 b->entries >= fmin(other.tenth, lines) &&
                 b->entries <= fmax(other.nine_tenths, lines);
    }
    if (agrees) {
        b->entries_min = fmin(b->entries, fmax(b->entries_min, other.tenth));
        b->entries_max = fmax(b->entries, fmin(b->entries_max, other.nine_tenths));
    } else {
        b->entries = NAN;
        note_add(&b->note, NOTE_CANNOT_TELL);
    }
    curve_free(&curve);
}

void caches_detect(const struct series *series, const struct point *line, struct boundaries *found)
{
    struct curve curve = derivative_curve(series, line);
    struct transition t[TRANSITIONS_MAX];
    size_t count = find_levels(&curve, t);
    double spacing = (double)line->spacing, before = 0;
    for (size_t i = 0; i < count; i++) {
        struct cache_rise rise = rise_of(&curve, &t[i], series, line);
        struct boundary *b = boundary_add(found, STRUCTURE_CACHE, (int)i + 1, "caches");
        bool gradual = derivative_gradual(&curve, &t[i]);
        if (!t[i].reaches_end)
            b->entries = before = capacity(&rise, gradual, series, line, before);
        describe(b, &rise, gradual);
        if ((i + 1 == count || i >= CACHES_PRIVATE) && !t[i].reaches_end)
            confirm(b, &rise, series, line);
        b->bytes_min = round(b->entries_min * spacing);
        b->bytes_max = round(b->entries_max * spacing);
    }
    curve_free(&curve);
}
