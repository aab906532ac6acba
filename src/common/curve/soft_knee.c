/* soft_knee.c: soft knees: where a curve leaves a baseline for good. */
#include "curve/soft_knee.h"
#include "base/error.h"
#include "base/stats.h"
#include <math.h>
#include <stdbool.h>
#include <string.h>

/* Each of POINTS points is so many standard errors above the baseline; knee.c requires less of each
 * and more of their mean. [significance] */
static const double errors_least = 4.5;
enum { POINTS = 3 };

/* Least rise of a point, and least step, as parts of a load's time: the first level of a Zen 4 and
 * a Zen 5 makes a step of a fifth. [prior] */
static const double share_least = 0.003, step_least = 0.1;

/* Half of a rise lies within this many times its foot: 1 - C/n is a half at 2 C. [physics] */
static const double half_way_most = 2.2;

/* A rise ends where the octave above adds less than this part of the rise so far. [prior] */
static const double levels_off = 1.0 / 3;

/* A step is this many times the baseline's own rise from its earlier half to its later half.
 * [significance] */
static const double trend_most = 6;

/* The foot is the part of a rise up to `foot_most` of its step, where it is nearly straight; it
 * begins at most so much earlier as it takes to rise by `hidden_most` times the threshold. [prior]
 */
static const double foot_most = 0.3, hidden_most = 1;

/* All loads beyond a level miss where its rise ends before this many times its entries; a rise of
 * 1 - C/n ends at twice the entries. [physics] */
static const double sharp_most = 1.4;

/* The step is measured up to this many times the foot. [prior] */
static const double top_most = 4;

/* The octave below a point. */
struct baseline {
    double ns, error; /* mean and its standard error */
    double trend;     /* later half minus earlier half */
};

/* The baseline of point i: POINTS points or more, none before `start`. Its error includes their
 * scatter. */
static struct baseline find_baseline(const struct curve *c, size_t start, size_t i)
{
    struct baseline baseline = {0, 0, 0};
    double squares = 0, variance = 0;
    size_t first = i;
    while (first > start && (i - first < POINTS || 2 * c->at[first - 1].pages >= c->at[i].pages)) {
        const struct curve_point *p = &c->at[--first];
        baseline.ns += p->ns;
        squares += p->ns * p->ns;
        variance += p->error * p->error;
    }
    double n = (double)(i - first), mean = baseline.ns / n;
    double scatter = n > 1 ? (squares - baseline.ns * mean) / (n - 1) : 0;
    for (size_t k = 0, half = (i - first) / 2; k < half; k++)
        baseline.trend += (c->at[i - 1 - k].ns - c->at[first + k].ns) / (double)half;
    baseline.ns = mean;
    baseline.error = sqrt(fmax(fmax(scatter, 0), variance / n) / n);
    return baseline;
}

static double threshold(const struct curve_point *p, double error)
{
    return fmax(errors_least * sqrt(p->error * p->error + error * error), share_least * p->load_ns);
}

/* Whether POINTS points from i on (fewer at the end, but two at least) lie above the baseline. */
static bool leaves(const struct curve *c, size_t i, double base, double error)
{
    if (i + 1 >= c->count)
        return false;
    for (size_t k = i; k < i + POINTS && k < c->count; k++)
        if (c->at[k].ns - base <= threshold(&c->at[k], error))
            return false;
    return true;
}

static size_t find_end(const struct curve *c, size_t after, double base)
{
    for (size_t j = after; j + 1 < c->count; j++) {
        double sum = 0, n = 0, allowed = levels_off * (c->at[j].ns - base);
        size_t k = j + 1;
        for (; k < c->count && c->at[k].pages <= 2 * c->at[j].pages; k++, n++)
            sum += c->at[k].ns - c->at[j].ns;
        if (n == 0 || (sum / n <= allowed && c->at[k - 1].ns - c->at[j].ns <= 2 * allowed))
            return j;
    }
    return c->count - 1;
}

static bool describe(const struct curve *c, size_t after, const struct baseline *baseline,
                     struct knee *rise)
{
    double base = baseline->ns;
    size_t end = find_end(c, after, base);
    double half = base + (c->at[end].ns - base) / 2;
    size_t half_way = after;
    while (half_way < end && c->at[half_way].ns < half)
        half_way++;
    *rise = (struct knee){.before = after - 1,
                          .after = after,
                          .end = end,
                          .plateau_ns = base,
                          .plateau_error = baseline->error,
                          .step_ns = c->at[end].ns - base,
                          .gradual = true,
                          .reaches_end = end + 1 == c->count};
    return rise->step_ns >= step_least * c->at[after - 1].load_ns &&
           rise->step_ns >= trend_most * baseline->trend &&
           c->at[half_way].pages <= half_way_most * c->at[after].pages;
}

/* Sets the step of each rise, which ends before the next one at the latest. */
static void measure_steps(const struct curve *c, struct knee *rises, size_t count)
{
    for (size_t r = 0; r < count; r++) {
        struct knee *rise = &rises[r];
        size_t last = r + 1 < count ? rises[r + 1].before : c->count - 1, top = rise->end;
        while (top < last && c->at[top + 1].pages <= top_most * c->at[rise->after].pages)
            top++;
        double errors = rise->plateau_error * rise->plateau_error +
                        c->at[top].error * c->at[top].error;
        rise->plateau_ns = c->at[rise->before].ns;
        rise->step_ns = c->at[top].ns - rise->plateau_ns;
        rise->significance = rise->step_ns / fmax(sqrt(errors), 1e-12);
    }
}

/* Removes the misses of a level of C entries from the curve above it, and returns the point from
 * which on the next level is looked for. They are a share of 1 - C/n, of which the rise at twice
 * the level's size, or at its end, tells the cost. A rise that ends at once is one where all loads
 * miss: the nodes come in the same order each lap. */
static size_t remove_level(struct curve *rest, const struct knee *rise)
{
    double entries = rest->at[rise->before].pages;
    bool sharp = rest->at[rise->end].pages < sharp_most * entries;
    size_t at = rise->after;
    while (at < rise->end && rest->at[at].pages < 2 * entries)
        at++;
    double share = sharp ? 1 : 1 - entries / rest->at[at].pages;
    double miss_ns = (rest->at[at].ns - rise->plateau_ns) / share;
    for (size_t i = rise->after; i < rest->count; i++)
        rest->at[i].ns -= miss_ns * (sharp ? 1 : 1 - entries / rest->at[i].pages);
    return at;
}

size_t soft_knee_find(const struct curve *c, struct knee rises[KNEES_MOST])
{
    struct curve rest = {allocate(c->count, sizeof *rest.at), c->count};
    size_t found = 0, start = 0;
    memcpy(rest.at, c->at, c->count * sizeof *rest.at);
    for (size_t i = 2; i < c->count && found < KNEES_MOST; i++) {
        if (i < start + 2)
            continue;
        struct baseline baseline = find_baseline(&rest, start, i);
        if (!leaves(&rest, i, baseline.ns, baseline.error) ||
            !describe(&rest, i, &baseline, &rises[found]))
            continue;
        start = i = remove_level(&rest, &rises[found++]);
    }
    measure_steps(c, rises, found);
    curve_free(&rest);
    return found;
}

double soft_knee_foot(const struct curve *c, const struct knee *rise)
{
    double before = c->at[rise->before].pages, up = 0, gap = c->at[rise->after].pages - before;
    struct line_sums sums = {0};
    for (size_t i = rise->after; i <= rise->end && up <= foot_most * rise->step_ns; i++) {
        up = c->at[i].ns - rise->plateau_ns;
        stats_line_add(&sums, 1, c->at[i].pages - before, up);
    }
    struct line_fit line = stats_line(&sums);
    double hidden = threshold(&c->at[rise->after], rise->plateau_error);
    if (sums.weight < POINTS || line.slope <= 0) /* no line through a step or few points */
        return before - gap * fmin(1, hidden / (c->at[rise->after].ns - rise->plateau_ns));
    double zero = line.x - (line.y + c->at[rise->after].error) / line.slope;
    /* three points in a row may leave the baseline later than one would */
    return before + fmin(0, fmax(zero, -hidden_most * hidden / line.slope));
}
