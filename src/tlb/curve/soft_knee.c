/* soft_knee.c: soft knees: where a curve leaves a plateau for good without a step. */
#include "tlb/curve/soft_knee.h"
#include "base/error.h"
#include "base/stats.h"
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* A capacity is fitted to the points from `fit_from` to `fit_to` of it, and to POINTS on either
 * side of it at least. The next level is looked for from `next_from` of it on. [prior] */
static const double fit_from = 0.5, fit_to = 2, next_from = 1.5;
enum { POINTS = 3 };

/* A step is so many standard errors, and such a part of a load's time: the first level of a Zen 4
 * and a Zen 5 makes a step of a fifth. [significance] */
static const double errors_least = 6, step_least = 0.1;

/* A fit leaves this part of the squares at least, since numbers are rounded. [bound] */
static const double left_least = 1e-12;

/* It is this part of the step below it, of which the fit may have left so much. [prior] */
static const double next_least = 0.5;

/* It is this many times the rise of the plateau from its earlier half to its later half, and
 * leaves this part of the squares that a straight line leaves, at most. [significance] */
static const double trend_most = 8, straight_most = 0.8;

/* The range of a capacity are those within `search` of it that leave at most `worse_most` times the
 * squares of the best, and a part of all squares that other shapes may leave; so many are tried.
 * [significance] */
static const double worse_most = 1.5, unlike_most = 0.003, search = 1.3;
enum { TRIED = 256 };

/* A shape with ways has more ways to fit noise, so its squares count for more. [prior] */
static const double ways_weight = 1.5;

/* A level is looked for at this many times the pages of the first fit that finds one. [prior] */
static const double best_most = 2;

/* A rise has shown its form at this many times the capacity. [prior] */
static const double shown_from = 1.5;

/* The step is measured up to this many times the capacity. [prior] */
static const double top_most = 4;

/* ---- shapes ---- */

/* A level of so many ways that replaces the least recent page (0: fully associative); entries of
 * several pages, which are visited at random; and a level that all pages miss at once. */
enum { AT_RANDOM = -1, STEP = -2 };
static const int shapes[] = {0, 4, 8, AT_RANDOM, STEP};
enum { SHAPES = sizeof shapes / sizeof *shapes };

/* Of a set with n pages, the part that misses when each round visits them in a new order: as many
 * others as there are ways come between two visits with probability (1 + H(n) - H(over)) over / n,
 * H the harmonic numbers, which are nearly ln(n + 1/2) + Euler's constant. */
static double lru_share(double ways, double pages)
{
    double over = pages - ways;
    return over > 0 ? over / pages * (1 + log((pages + 0.5) / (over + 0.5))) : 0;
}

/* The part of loads that miss; sets fill evenly, some with a page more than the others. */
static double missing_share(int shape, double entries, double pages)
{
    if (pages <= entries)
        return 0;
    if (shape < 0)
        return shape == AT_RANDOM ? 1 - entries / pages : 1;
    if (shape == 0)
        return lru_share(entries, pages);
    double sets = entries / shape, each = floor(pages / sets), fuller = pages - sets * each;
    return (fuller * (each + 1) * lru_share(shape, each + 1) +
            (sets - fuller) * each * lru_share(shape, each)) /
           pages;
}

/* ---- fits ---- */

/* The line of ns by missing_share(): `ns` where nothing misses, and `step` more where all does.
 * The squares are those of the points about their mean, about the line, and these times the weight
 * of the shape. */
struct fit {
    double entries, ns, step, squares, left, weighed;
    int shape;
    size_t first, before, last; /* `before` is the last point that fits into the level */
};

static double left_by(const struct line_fit *line)
{
    return fmax(0, line->yy - line->slope * line->xy);
}

static struct fit fit_shape(const struct curve *c, int shape, double entries)
{
    struct fit fit = {.entries = entries, .shape = shape};
    struct line_sums sums = {0};
    while (fit.before + 1 < c->count && c->at[fit.before + 1].pages <= entries)
        fit.before++;
    fit.first = fit.last = fit.before;
    while (fit.first > 0 && (fit.before - fit.first + 1 < POINTS ||
                             c->at[fit.first - 1].pages >= fit_from * entries))
        fit.first--;
    while (fit.last + 1 < c->count &&
           (fit.last - fit.before < POINTS || c->at[fit.last + 1].pages <= fit_to * entries))
        fit.last++;
    for (size_t i = fit.first; i <= fit.last; i++)
        stats_line_add(&sums, 1, missing_share(shape, entries, c->at[i].pages), c->at[i].ns);
    struct line_fit line = stats_line(&sums);
    fit.step = line.slope;
    fit.ns = line.y - line.slope * line.x;
    fit.squares = line.yy;
    fit.left = left_by(&line);
    fit.weighed = fit.left * (shape > 0 ? ways_weight : 1);
    return fit;
}

static struct fit best_shape(const struct curve *c, double entries)
{
    struct fit best = {.weighed = INFINITY};
    for (int i = 0; i < SHAPES; i++) {
        struct fit fit = fit_shape(c, shapes[i], entries);
        if (fit.weighed < best.weighed)
            best = fit;
    }
    return best;
}

/* The step in standard errors: Student's t of the line's slope. */
static double significance_of(const struct fit *fit)
{
    double points = (double)(fit->last - fit->first + 1);
    double left = fmax(fit->left, left_least * fit->squares);
    return sqrt((points - 2) * (fit->squares - fit->left) / left);
}

/* How much the later half of the plateau lies above the earlier. */
static double trend_of(const struct curve *c, const struct fit *fit)
{
    double trend = 0;
    size_t half = (fit->before - fit->first + 1) / 2;
    for (size_t k = 0; k < half; k++)
        trend += (c->at[fit->before - k].ns - c->at[fit->first + k].ns) / (double)half;
    return trend;
}

/* Whether a straight line in pages or in their logarithm explains the points as well. */
static bool is_straight(const struct curve *c, const struct fit *fit)
{
    struct line_sums by_pages = {0}, by_log = {0};
    for (size_t i = fit->first; i <= fit->last; i++) {
        stats_line_add(&by_pages, 1, c->at[i].pages, c->at[i].ns);
        stats_line_add(&by_log, 1, log(c->at[i].pages), c->at[i].ns);
    }
    struct line_fit pages = stats_line(&by_pages), logs = stats_line(&by_log);
    return fit->left > straight_most * fmin(left_by(&pages), left_by(&logs));
}

static bool is_level(const struct curve *c, const struct fit *fit, double step_below)
{
    return fit->before + 1 >= fit->first + POINTS && fit->last >= fit->before + POINTS - 1 &&
           fit->step >= step_least * c->at[fit->before].load_ns &&
           fit->step >= next_least * step_below && fit->step >= trend_most * trend_of(c, fit) &&
           !is_straight(c, fit) && significance_of(fit) >= errors_least;
}

/* The part of the points' squares that a fit leaves, weighed. */
static double left_part(const struct fit *fit)
{
    return fit->squares > 0 && fit->step > 0 ? fit->weighed / fit->squares : 1;
}

/* The best fit to a level at point i or, as long as there is one, at later points up to `best_most`
 * times its pages. */
static struct fit best_from(const struct curve *c, size_t i, double step_below)
{
    struct fit best = best_shape(c, c->at[i].pages);
    for (size_t k = i + 1; k < c->count && c->at[k].pages <= best_most * c->at[i].pages; k++) {
        struct fit fit = best_shape(c, c->at[k].pages);
        if (!is_level(c, &fit, step_below))
            break;
        if (left_part(&fit) < left_part(&best))
            best = fit;
    }
    return best;
}

/* The capacity at a level that was found near this point: the best fit, and the range of all that
 * leave little more. */
static void set_capacity(const struct curve *c, size_t before, struct soft_knee *knee)
{
    double pages = c->at[before].pages, last = c->at[before + 1].pages * search;
    double unit = fmax(1, floor(pages / TRIED)), low = ceil(pages / search);
    size_t count = (size_t)((last - low) / unit) + 1;
    struct fit *fits = allocate(count, sizeof *fits), best = best_shape(c, pages);
    for (size_t i = 0; i < count; i++) {
        fits[i] = best_shape(c, low + unit * (double)i);
        if (left_part(&fits[i]) < left_part(&best))
            best = fits[i];
    }
    knee->entries = knee->least = knee->most = best.entries;
    for (size_t i = 0; i < count; i++)
        if (left_part(&fits[i]) <= worse_most * left_part(&best) + unlike_most) {
            knee->least = fmin(knee->least, fits[i].entries);
            knee->most = fmax(knee->most, fits[i].entries);
        }
    free(fits);
}

/* ---- knees ---- */

/* Whether the curve ends before the rise has shown its form. */
static bool ends_early(const struct curve *c, const struct fit *fit)
{
    if (fit->shape == STEP)
        return fit->last < fit->before + POINTS;
    return fit->last + 1 == c->count && c->at[fit->last].pages < shown_from * fit->entries;
}

/* Sets the step of each rise, which ends before the next one at the latest. */
static void measure_steps(const struct curve *c, struct soft_knee *found, size_t count)
{
    for (size_t r = 0; r < count; r++) {
        struct knee *rise = &found[r].knee;
        size_t last = r + 1 < count ? found[r + 1].knee.before : c->count - 1, top = rise->after;
        while (top < last &&
               (top < rise->end || c->at[top + 1].pages <= top_most * c->at[rise->after].pages))
            top++;
        rise->step_ns = c->at[top].ns - rise->plateau_ns;
    }
}

/* The knee of a fit to the curve without the levels before. */
static struct knee knee_of(const struct curve *c, const struct curve *rest, const struct fit *fit)
{
    double significance = significance_of(fit),
           removed = c->at[fit->before].ns - rest->at[fit->before].ns;
    return (struct knee){.before = fit->before,
                         .after = fit->before + 1,
                         .end = fit->last,
                         .plateau_ns = removed + fit->ns,
                         .plateau_error = fit->step / significance,
                         .significance = significance,
                         .gradual = true,
                         .reaches_end = ends_early(rest, fit)};
}

size_t soft_knee_find(const struct curve *c, struct soft_knee found[KNEES_MOST])
{
    struct curve rest = {allocate(c->count, sizeof *rest.at), c->count};
    size_t count = 0;
    double from = 0, step_below = 0;
    memcpy(rest.at, c->at, c->count * sizeof *rest.at);
    for (size_t i = 0; i < c->count && count < KNEES_MOST; i++) {
        if (c->at[i].pages < from)
            continue;
        struct fit fit = best_shape(&rest, c->at[i].pages);
        if (!is_level(&rest, &fit, step_below))
            continue;
        fit = best_from(&rest, i, step_below);
        found[count].knee = knee_of(c, &rest, &fit);
        set_capacity(&rest, fit.before, &found[count++]);
        for (size_t k = fit.before + 1; k < c->count; k++)
            rest.at[k].ns -= fit.step * missing_share(fit.shape, fit.entries, c->at[k].pages);
        from = next_from * fit.entries;
        step_below = fit.step;
    }
    measure_steps(c, found, count);
    curve_free(&rest);
    return count;
}
