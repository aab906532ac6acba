/* textbook.c: three methods for cache sizes.
 *
 *     textbook_jump(&series, &found);
 */
#include "tlb/detect/textbook.h"
#include "base/error.h"
#include "base/stats.h"
#include "tlb/curve/curve.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- jump and plateau ---- */

/* Ratios that count as flat and as slower, and the window of an octave. They are part of the flaw.
 * [prior] */
static const double flat = 1.05, slower = 1.10, window = 2;

/* Adds a boundary between the sizes `below` and the next, or at the last one. */
static struct boundary *add_row(struct boundaries *found, const struct curve *c, size_t below,
                                const char *method)
{
    size_t above = below + 1 < c->count ? below + 1 : below;
    struct boundary *b = boundary_add(found, STRUCTURE_CACHE, (int)found->count + 1, method);
    b->entries = c->at[below].pages;
    boundary_set_range(b, b->entries, c->at[above].pages, c->spacing);
    boundary_set_step(b, c->at[below].ns, c->at[above].ns - c->at[below].ns);
    return b;
}

void textbook_jump(const struct series *series, struct boundaries *found)
{
    struct curve c = curve_minima(series, curve_line(series));
    size_t best = 0;
    for (size_t i = 1; i + 1 < c.count; i++)
        if (c.at[i + 1].ns * c.at[best].ns > c.at[best + 1].ns * c.at[i].ns)
            best = i;
    if (c.count >= 2 && c.at[best + 1].ns > c.at[best].ns)
        add_row(found, &c, best, "jump");
    curve_free(&c);
}

/* Mean of the points in the octave after i, or of the next point if there are none. */
static double ahead(const struct curve *c, size_t i)
{
    double sum = 0;
    size_t k = i + 1;
    for (; k < c->count && (k == i + 1 || c->at[k].pages <= window * c->at[i].pages); k++)
        sum += c->at[k].ns;
    return sum / (double)(k - i - 1);
}

/* The last point of the plateau that starts at `start`, or the end of the curve. */
static size_t plateau_end(const struct curve *c, size_t start)
{
    double sum = 0;
    for (size_t i = start; i + 1 < c->count; i++) {
        sum += c->at[i].ns;
        if (ahead(c, i) > slower * sum / (double)(i - start + 1))
            return i;
    }
    return c->count - 1;
}

void textbook_plateau(const struct series *series, struct boundaries *found)
{
    struct curve c = curve_minima(series, curve_line(series));
    size_t start = 0;
    while (start + 1 < c.count) {
        size_t end = plateau_end(&c, start);
        if (end + 1 < c.count)
            add_row(found, &c, end, "plateau");
        start = end + 1;
        while (start + 1 < c.count && c.at[start + 1].ns > flat * c.at[start].ns)
            start++;
    }
    curve_free(&c);
}

/* ---- derivative ---- */

/* Grid points per octave, and the filter windows in grid points. [prior] */
enum { PER_OCTAVE = 8, RADIUS = 3, RADIUS_SLOPE = 1, ARM = 2 };

/* The minimum log-log slope of a peak, the slope down to which it extends (absolute, and relative
 * to the peak), and the minimum ratio of the plateaus. [prior] */
static const double peak_min = 0.25, edge_min = 0.1, edge_part = 0.1, rise_min = 1.15;

/* A rise between two plateaus, from one ln(size) to another. */
struct transition {
    double from, to;
    double lower_ns, upper_ns;
    bool reaches_end;
};

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

static bool is_peak(const struct grid *g, size_t k)
{
    return g->slope[k] >= peak_min && (k + 1 == g->count || g->slope[k] >= g->slope[k + 1]);
}

/* Latency of a plateau: median of the grid from `from` to `to`, at most an octave. */
static double plateau(const struct grid *g, size_t from, size_t to)
{
    size_t count = to - from < PER_OCTAVE ? to - from + 1 : PER_OCTAVE + 1;
    return exp(stats_median(g->ns + from, count));
}

/* The transition around a peak; those before it end at grid position *end, which is moved on. */
static struct transition transition_of(const struct grid *g, size_t peak, size_t *end)
{
    struct transition t;
    size_t first = peak, last = peak;
    double edge = fmax(edge_min, edge_part * g->slope[peak]);
    while (first > *end && g->slope[first - 1] >= edge)
        first--;
    while (last + 1 < g->count && g->slope[last] >= edge)
        last++;
    t.from = g->start + (double)first * g->step + 1e-9;
    t.to = g->start + (double)last * g->step - 1e-9;
    t.lower_ns = plateau(g, first > *end + PER_OCTAVE ? first - PER_OCTAVE : *end, first);
    t.upper_ns = plateau(g, last, g->count - 1);
    t.reaches_end = last + PER_OCTAVE / 2 >= g->count;
    *end = last;
    return t;
}

/* The size where the unfiltered curve first exceeds `ns` at two neighbouring points within the
 * transition, interpolated in log-log; *below is the point before it. */
static double crossing(const struct curve *c, const struct transition *t, double ns, size_t *below)
{
    size_t i = 0, first;
    while (i + 1 < c->count && log_size(c, i + 1) <= t->from)
        i++;
    first = i;
    while (
        i + 1 < c->count && log_size(c, i) < t->to &&
        !(c->at[i].ns <= ns && c->at[i + 1].ns > ns && (i + 2 >= c->count || c->at[i + 2].ns > ns)))
        i++;
    *below = i;
    if (i + 1 == c->count || log_size(c, i) >= t->to) /* it starts above `ns`, or stays below */
        return c->at[c->at[first].ns > ns ? first : i].pages;
    double part = (log(ns) - log_ns(c, i)) / (log_ns(c, i + 1) - log_ns(c, i));
    return exp(log_size(c, i) + part * (log_size(c, i + 1) - log_size(c, i)));
}

static void add_transition(struct boundaries *found, const struct curve *c,
                           const struct transition *t)
{
    size_t below;
    double size = crossing(c, t, sqrt(t->lower_ns * t->upper_ns), &below);
    struct boundary *b = add_row(found, c, below, "derivative");
    b->entries = size;
    boundary_set_step(b, t->lower_ns, t->upper_ns - t->lower_ns);
    if (t->reaches_end)
        note_add(&b->note, NOTE_AT_END_OF_SWEEP);
}

void textbook_derivative(const struct series *series, struct boundaries *found)
{
    struct curve curve = curve_minima(series, curve_line(series));
    struct grid g = grid_open(&curve);
    for (size_t k = 0, end = 0; k < g.count; k++) {
        if (!is_peak(&g, k))
            continue;
        struct transition t = transition_of(&g, k, &end);
        if (t.upper_ns >= rise_min * t.lower_ns)
            add_transition(found, &curve, &t);
        k = end;
    }
    free(g.ns);
    curve_free(&curve);
}
