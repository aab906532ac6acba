/* derivative.c: transitions of a latency curve as peaks of its derivative.
 *
 *     const struct point *line = derivative_line(&series);
 *     if (line != NULL)
 *         derivative_detect(&series, line, &found);
 */
#include "tlb/detect/derivative.h"
#include "access/kernel.h"
#include "access/layout.h"
#include "base/error.h"
#include "base/stats.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Grid points per octave, and the filter windows in grid points. [prior] */
enum { PER_OCTAVE = 8, RADIUS = 3, RADIUS_SLOPE = 1, ARM = 2 };
enum { SAMPLES_MIN = 3 }; /* of a size, to be sure [significance] */

/* The minimum log-log slope of a peak, the slope down to which it extends (absolute, and relative
 * to the peak), and the minimum ratio of the plateaus. [prior] */
static const double peak_least = 0.25, edge_least = 0.1, edge_part = 0.1, rise_least = 1.15;
/* The minimum ratio of the sizes at nine tenths and at a tenth of a gradual rise's step; the sizes
 * per octave below which a curve is sparse. [prior] */
static const double gradual_width = 4.0 / 3, dense = 4;

/* A valley below the first fraction of the lower peak separates two transitions; one below the
 * second is a change of slope within a transition. [prior] */
static const double divide_part = 0.5, slope_part = 0.75;

/* Noise is skewed if its upper tail is this many times its lower tail. [significance] */
static const double skew_least = 2;

/* ---- the grid ---- */

struct grid {
    size_t count;
    double start, step; /* ln(size) of the first point, and between neighbours */
    double *ns, *slope; /* ln(ns) and its derivative, both filtered */
};

static double log_size(const struct curve *c, size_t i)
{
    return log(c->at[i].pages);
}

static double log_ns(const struct curve *c, size_t i)
{
    return log(fmax(c->at[i].ns, 1e-3)); /* a difference may be 0 or negative */
}

static void interpolate(const struct curve *c, struct grid *g)
{
    for (size_t k = 0, i = 0; k < g->count; k++) {
        double x = g->start + (double)k * g->step;
        while (i + 2 < c->count && log_size(c, i + 1) < x)
            i++;
        double part = (x - log_size(c, i)) / (log_size(c, i + 1) - log_size(c, i));
        g->ns[k] = log_ns(c, i) + fmin(1, part) * (log_ns(c, i + 1) - log_ns(c, i));
    }
}

/* The windows are symmetric, which preserves slopes at the ends. */
static void filter_median(double *values, size_t count, size_t radius)
{
    double *copy = allocate(count, sizeof *copy);
    memcpy(copy, values, count * sizeof *copy);
    for (size_t k = 0; k < count; k++) {
        size_t fits = k < count - 1 - k ? k : count - 1 - k;
        size_t r = fits < radius ? fits : radius;
        values[k] = stats_median(copy + k - r, 2 * r + 1);
    }
    free(copy);
}

static void differentiate(struct grid *g)
{
    for (size_t k = 0; k < g->count; k++) {
        size_t low = k > ARM ? k - ARM : 0;
        size_t high = k + ARM < g->count ? k + ARM : g->count - 1;
        g->slope[k] = (g->ns[high] - g->ns[low]) / ((double)(high - low) * g->step);
    }
}

/* Empty (count 0) for a curve of less than an octave. */
static struct grid grid_open(const struct curve *c)
{
    struct grid g = {.step = log(2) / PER_OCTAVE};
    if (c->count < 2 || c->at[0].pages <= 0)
        return g;
    double octaves = (log_size(c, c->count - 1) - log_size(c, 0)) / log(2);
    if (octaves < 1)
        return g;
    g.start = log_size(c, 0);
    g.count = (size_t)(octaves * PER_OCTAVE + 1e-9) + 1;
    g.ns = allocate(g.count, 2 * sizeof *g.ns);
    g.slope = g.ns + g.count;
    interpolate(c, &g);
    filter_median(g.ns, g.count, RADIUS);
    differentiate(&g);
    filter_median(g.slope, g.count, RADIUS_SLOPE);
    return g;
}

/* ---- peaks ---- */

/* Grid positions of a peak and of its transition. */
struct peak {
    size_t at, first, last;
    int slopes;
};

static bool is_peak(const struct grid *g, size_t k)
{
    return g->slope[k] >= peak_least && (k == 0 || g->slope[k] > g->slope[k - 1]) &&
           (k + 1 == g->count || g->slope[k] >= g->slope[k + 1]);
}

static struct peak extend(const struct grid *g, size_t at)
{
    struct peak p = {at, at, at, 1};
    double edge = fmax(edge_least, edge_part * g->slope[at]);
    while (p.first > 0 && g->slope[p.first] >= edge)
        p.first--;
    while (p.last + 1 < g->count && g->slope[p.last] >= edge)
        p.last++;
    return p;
}

static size_t lowest(const struct grid *g, size_t from, size_t to)
{
    size_t at = from;
    for (size_t k = from; k <= to; k++)
        if (g->slope[k] < g->slope[at])
            at = k;
    return at;
}

/* Separates two peaks at the valley between them; or, if it is not deep enough, merges them and
 * returns false. */
static bool divide(const struct grid *g, struct peak *before, struct peak *next)
{
    size_t valley = lowest(g, before->at, next->at);
    double lower = fmin(g->slope[before->at], g->slope[next->at]);
    if (g->slope[valley] >= divide_part * lower) {
        size_t last = before->last > next->last ? before->last : next->last;
        if (g->slope[next->at] > g->slope[before->at])
            before->at = next->at;
        before->slopes += g->slope[valley] < slope_part * lower;
        before->last = last; /* its start may be the valley after an earlier peak */
        return false;
    }
    if (before->last > valley)
        before->last = valley;
    if (next->first < valley)
        next->first = valley;
    return true;
}

static size_t find_peaks(const struct grid *g, struct peak peaks[TRANSITIONS_MAX])
{
    size_t count = 0;
    for (size_t k = 0; k < g->count; k++) {
        if (!is_peak(g, k))
            continue;
        struct peak next = extend(g, k);
        if (count > 0 && !divide(g, &peaks[count - 1], &next))
            continue;
        if (count < TRANSITIONS_MAX)
            peaks[count++] = next;
    }
    return count;
}

/* ---- transitions ---- */

/* Latency of a plateau: median of the grid from `from` to `to`, at most an octave. */
static double plateau(const struct grid *g, size_t from, size_t to)
{
    size_t count = to - from < PER_OCTAVE ? to - from + 1 : PER_OCTAVE + 1;
    return exp(stats_median(g->ns + from, count));
}

static struct transition transition_of(const struct curve *c, const struct grid *g,
                                       const struct peak *p, size_t floor, size_t ceiling)
{
    struct transition t = {.last = c->count - 1, .steepest = g->slope[p->at], .slopes = p->slopes};
    double low = g->start + (double)p->first * g->step;
    double high = g->start + (double)p->last * g->step;
    size_t from = p->first > floor + PER_OCTAVE ? p->first - PER_OCTAVE : floor;
    while (t.first + 1 < c->count && log_size(c, t.first + 1) <= low + 1e-9)
        t.first++;
    while (t.last > 0 && log_size(c, t.last - 1) >= high - 1e-9)
        t.last--;
    t.lower_ns = plateau(g, from, p->first);
    t.upper_ns = plateau(g, p->last, ceiling);
    t.joined = floor > 0 && floor >= p->first;
    t.reaches_end = p->last + PER_OCTAVE / 2 >= g->count;
    return t;
}

size_t derivative_transitions(const struct curve *curve, struct transition found[TRANSITIONS_MAX])
{
    struct grid g = grid_open(curve);
    struct peak peaks[TRANSITIONS_MAX];
    size_t count = find_peaks(&g, peaks), kept = 0;
    for (size_t i = 0; i < count; i++) {
        size_t floor = i > 0 ? peaks[i - 1].last : 0;
        size_t ceiling = i + 1 < count ? peaks[i + 1].first : g.count - 1;
        if (floor > peaks[i].first)
            floor = peaks[i].first;
        if (ceiling < peaks[i].last)
            ceiling = peaks[i].last;
        found[kept] = transition_of(curve, &g, &peaks[i], floor, ceiling);
        kept += found[kept].upper_ns >= rise_least * found[kept].lower_ns;
    }
    free(g.ns);
    return kept;
}

double derivative_crossing(const struct curve *c, const struct transition *t, double ns,
                           size_t *below)
{
    size_t i = t->first;
    while (i < t->last && !(c->at[i].ns <= ns && c->at[i + 1].ns > ns &&
                            (i + 2 >= c->count || c->at[i + 2].ns > ns)))
        i++;
    *below = i;
    if (i == t->last) /* the transition starts above `ns`, or stays below */
        return c->at[c->at[t->first].ns > ns ? t->first : t->last].pages;
    double part = (log(ns) - log_ns(c, i)) / (log_ns(c, i + 1) - log_ns(c, i));
    return exp(log_size(c, i) + part * (log_size(c, i + 1) - log_size(c, i)));
}

/* ---- rows ---- */

const struct point *derivative_line(const struct series *series)
{
    const struct point *best = NULL;
    for (size_t i = 0; i < series->count; i++) {
        const struct point *p = &series->groups[i].point;
        const struct layout *layout = group_layout(&series->groups[i]);
        if (layout->caches_rank > 0 && !layout->per_page && !p->kernel->draws &&
            (best == NULL || layout->caches_rank < best->layout->caches_rank))
            best = p;
    }
    return best;
}

/* Whether the noise at a size mostly adds time. */
static bool is_skewed(const struct group *g)
{
    double up = group_quantile(g, 0.9) - group_quantile(g, 0.5);
    return up > skew_least * (group_quantile(g, 0.5) - group_quantile(g, 0.1));
}

struct curve derivative_curve(const struct series *series, const struct point *line)
{
    size_t skewed = 0, all = 0;
    for (size_t i = 0; i < series->count; i++) {
        const struct group *g = &series->groups[i];
        if (g->count < 3 || !point_same_curve(&g->point, line))
            continue;
        all++;
        skewed += is_skewed(g);
    }
    return 2 * skewed > all ? curve_alone(series, line) : curve_median(series, line);
}

bool derivative_gradual(const struct curve *c, const struct transition *t)
{
    size_t at;
    double step = t->upper_ns - t->lower_ns;
    return derivative_crossing(c, t, t->lower_ns + 0.9 * step, &at) >=
           gradual_width * derivative_crossing(c, t, t->lower_ns + 0.1 * step, &at);
}

void derivative_describe(struct boundary *b, const struct curve *c, const struct transition *t,
                         bool gradual)
{
    double octaves = (log_size(c, c->count - 1) - log_size(c, 0)) / log(2);
    bool few = false;
    for (size_t i = t->first; i <= t->last; i++)
        few = few || c->at[i].samples < SAMPLES_MIN;
    b->evidence.signs = few ? 1 : 2;
    if (gradual)
        note_add(&b->note, NOTE_GRADUAL);
    if (t->joined)
        note_add(&b->note, NOTE_JOINED);
    if (t->reaches_end)
        note_add(&b->note, NOTE_AT_END_OF_SWEEP);
    if ((double)(c->count - 1) < dense * octaves)
        note_add(&b->note, NOTE_SPARSE);
}

static void add_row(struct boundaries *found, const struct curve *c, const struct transition *t,
                    int level, double spacing)
{
    struct boundary *b = boundary_add(found, STRUCTURE_CACHE, level, "derivative");
    size_t below;
    b->entries = derivative_crossing(c, t, sqrt(t->lower_ns * t->upper_ns), &below);
    boundary_set_range(b, c->at[below].pages, c->at[below < c->count - 1 ? below + 1 : below].pages,
                       spacing);
    boundary_set_step(b, t->lower_ns, t->upper_ns - t->lower_ns);
    derivative_describe(b, c, t, derivative_gradual(c, t));
}

void derivative_detect(const struct series *series, const struct point *line,
                       struct boundaries *found)
{
    struct curve curve = derivative_curve(series, line);
    struct transition t[TRANSITIONS_MAX];
    size_t count = derivative_transitions(&curve, t);
    for (size_t i = 0; i < count; i++)
        add_row(found, &curve, &t[i], (int)i + 1, (double)line->spacing);
    curve_free(&curve);
}
