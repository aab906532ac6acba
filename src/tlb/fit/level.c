/* level.c: the best kind and capacity of one level. */
#include "tlb/fit/level.h"
#include "base/error.h"
#include "base/stats.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Ratio of successive capacities: first over the whole range, then around the best. [bound] */
static const double grid_ratio = 1.02, fine = 1.001;

/* A kind is dropped if its score on the coarse grid exceeds the best by more than this. [bound] */
static const double worth_keeping = 150;

/* Lower limit of a point's error, as a fraction of the step: no processor fits a formula exactly.
 * [prior] */
static const double step_floor = 0.01;

/* Degrees of freedom of the errors: outliers are more frequent than in a normal distribution.
 * [prior] */
static const double freedom = 8;
enum { TURNS = 3 }; /* rounds of reweighted least squares [bound] */

/* A level shows if at least this share of loads miss at the last point. [prior] */
static const double shown_least = 0.25;

/* Uncertainty of the base given by the level before, as a fraction of that level's step. [prior] */
static const double base_error = 0.05;

/* A share of misses with less variance is constant and determines no step. [bound] */
static const double share_flat = 1e-9;

/* Kinds and capacities within this score of the best fit about as well: 2.4 standard errors. If the
 * mean score of the points exceeds `usual_mean`, that of normal errors, their errors are larger
 * than estimated. [significance] */
static const double as_well = 6, usual_mean = 1.3;

/* Corrections to the range that no likelihood gives: its minimum width; a chain that costs this
 * fraction of a first level's step may already be too long, having nearly fitted by chance; a bend
 * is known to within this fraction of its capacity, and shows its shape by this multiple of it.
 * [prior] */
static const double range_least = 0.0015, lucky = 0.05, bend_unsure = 0.01, bend_shown = 1.5;

/* A number of sets may be a power of two that differs by this fraction. [prior] */
static const double nearly_power = 0.02;

/* Shares of misses that count as hardly any, half, and nearly all. [prior] */
static const double few = 0.03, half = 0.5, nearly_all = 0.9;

/* ---- one kind and capacity ---- */

/* The points of a fit. */
struct window {
    const struct curve_point *at;
    size_t count;
    double *variance, *share;
    double *weight;              /* 1 / variance, reduced for outliers */
    double *occupancy;           /* added by random sets */
    double step_ns;              /* approximate */
    double scale;                /* divides the scores */
    double before;               /* entries of the level before */
    double base_ns, base_weight; /* the base, from the level before */
};

static struct window window_of(const struct curve *rest, const struct fitted_level *level,
                               size_t first, size_t last)
{
    struct window w = {.at = rest->at + first,
                       .count = last + 1 - first,
                       .step_ns = fmax(level->knee.step_ns, rest->at[last].ns - rest->at[first].ns),
                       .scale = 1};
    w.variance = allocate(w.count, 4 * sizeof *w.variance);
    w.share = w.variance + w.count;
    w.weight = w.share + w.count;
    w.occupancy = w.weight + w.count;
    for (size_t i = 0; i < w.count; i++) {
        const struct curve_point *p = &w.at[i];
        double floor = step_floor * w.step_ns;
        w.variance[i] = p->error * p->error + floor * floor;
    }
    return w;
}

/* Base and step by weighted least squares. */
static void solve(const struct window *w, struct attempt *a)
{
    struct line_sums sums = {0};
    for (size_t i = 0; i < w->count; i++)
        stats_line_add(&sums, w->weight[i], w->share[i], w->at[i].ns);
    stats_line_add(&sums, w->base_weight, 0, w->base_ns);
    struct line_fit line = stats_line(&sums);
    a->step_ns = line.xx > share_flat * line.weight ? line.slope : 0;
    a->base_ns = line.y - a->step_ns * line.x;
}

/* The squared error of a point over its variance. */
static double squares_of(const struct window *w, const struct attempt *a, size_t i)
{
    double off = w->at[i].ns - a->base_ns - w->share[i] * a->step_ns;
    return off * off / (w->variance[i] + w->occupancy[i]);
}

/* -2 log likelihood up to a constant, by Student's t distribution: least squares, reweighted a few
 * times to reduce the influence of outliers. */
static void score(struct window *w, struct attempt *a)
{
    double sum = 0, off;
    a->squares = 0;
    for (size_t i = 0; i < w->count; i++) {
        double occupancy;
        w->share[i] = miss_curve_share(&a->shape, a->entries, w->at[i].pages, &occupancy);
        w->occupancy[i] = occupancy * w->step_ns * w->step_ns;
        w->weight[i] = 1 / (w->variance[i] + w->occupancy[i]);
    }
    solve(w, a);
    for (int turn = 1; turn < TURNS; turn++) {
        for (size_t i = 0; i < w->count; i++)
            w->weight[i] = (freedom + 1) / (freedom + squares_of(w, a, i)) /
                           (w->variance[i] + w->occupancy[i]);
        solve(w, a);
    }
    for (size_t i = 0; i < w->count; i++) {
        double squares = squares_of(w, a, i);
        a->squares += squares;
        sum += (freedom + 1) * log1p(squares / freedom);
        sum += w->occupancy[i] > 0 ? log1p(w->occupancy[i] / w->variance[i]) : 0;
    }
    off = a->base_ns - w->base_ns;
    sum += off * off * w->base_weight;
    a->mean = sum / (double)w->count;
    bool shown = a->step_ns > 0 && w->share[w->count - 1] >= shown_least;
    a->score = shown ? sum / w->scale + a->handicap : INFINITY;
}

/* ---- search ---- */

/* Fits the kind of `best` with this many entries; replaces `best` if the score is lower. */
static void try_entries(struct window *w, struct attempt *best, double handicap, double entries)
{
    struct attempt a = *best;
    a.entries = entries;
    a.handicap = handicap + kinds_odd(&a.shape, entries, w->before);
    if (a.handicap == INFINITY)
        return;
    score(w, &a);
    if (a.score < best->score)
        *best = a;
}

static void search_grid(struct window *w, struct attempt *best, double handicap, double low,
                        double high, double ratio)
{
    for (double c = fmax(2, floor(low)); c <= high; c = floor(fmax(c + 1, c * ratio)))
        try_entries(w, best, handicap, c);
}

/* Whether a kind is tried with any capacity, not only with numbers of sets that are powers of two.
 * Other numbers only approximate a level, for which 16 ways will do beyond 8. */
static bool any_capacity(const struct miss_curve *kind)
{
    return !kind->hashed && kind->gap == 0 && (kind->ways <= 8 || kind->ways == 16);
}

/* Numbers of sets that are powers of two. */
static void search_powers(struct window *w, struct attempt *best, double handicap, double low,
                          double high)
{
    double above = best->shape.before, ways = best->shape.ways;
    for (double sets = 1; ways > 0 && above + sets * ways <= high; sets *= 2)
        if (above + sets * ways >= low)
            try_entries(w, best, handicap, above + sets * ways);
}

/* The best capacity of one kind: numbers of sets that are powers of two, then others. */
static void search(struct window *w, struct attempt *best, double entries, double within)
{
    double low = entries / within, high = entries * within, handicap = best->handicap;
    best->score = INFINITY;
    search_powers(w, best, handicap, low, high);
    if (any_capacity(&best->shape)) {
        try_entries(w, best, handicap, entries);
        search_grid(w, best, handicap, low, high, grid_ratio);
    }
}

static size_t best_of(const struct attempt *kinds, size_t count)
{
    size_t best = 0;
    for (size_t i = 1; i < count; i++)
        if (kinds[i].score < kinds[best].score)
            best = i;
    return best;
}

/* The best capacity of each kind on the coarse grid; returns the number of kinds. */
static size_t search_all(struct window *w, struct attempt kinds[KINDS_MOST], enum kinds of,
                         double entries, double before, double within)
{
    size_t listed = kinds_list(kinds, of, before), count = 0;
    for (size_t i = 0; i < listed; i++) {
        search(w, &kinds[i], entries, within);
        if (kinds[i].score < INFINITY)
            kinds[count++] = kinds[i];
    }
    return count;
}

/* The handicap of a kind, without that of its capacity. */
static double handicap_of(const struct window *w, const struct attempt *a)
{
    return a->handicap - kinds_odd(&a->shape, a->entries, w->before);
}

/* Refines the capacity of each kind, unless it is far worse than the best. */
static void refine(struct window *w, struct attempt *kinds, size_t count)
{
    double least = count > 0 ? kinds[best_of(kinds, count)].score : 0;
    for (size_t i = 0; i < count; i++) {
        struct attempt *a = &kinds[i];
        if (a->score < least + worth_keeping && any_capacity(&a->shape))
            search_grid(w, a, handicap_of(w, a), a->entries / grid_ratio, a->entries * grid_ratio,
                        fine);
    }
}

/* Scales the scores if the points deviate from every kind by more than their errors. A number of
 * sets that is no power of two may then be no better than one that is. */
static void rescale(struct window *w, struct attempt *kinds, size_t count, double low, double high)
{
    double mean = INFINITY;
    for (size_t i = 0; i < count; i++)
        mean = fmin(mean, kinds[i].mean);
    w->scale = count > 0 ? fmax(1, mean / usual_mean) : 1;
    for (size_t i = 0; i < count && w->scale > 1; i++) {
        score(w, &kinds[i]);
        search_powers(w, &kinds[i], handicap_of(w, &kinds[i]), low, high);
    }
}

/* ---- range ---- */

/* The last capacity in one direction that scores no more than `most`. */
static double end_of_range(struct window *w, struct attempt a, double most, int direction)
{
    double entries, low = a.entries / 2, high = a.entries * 2;
    do {
        entries = a.entries;
        a.entries += direction * fmax(1, floor(entries * (fine - 1)));
        score(w, &a);
    } while (a.entries >= low && a.entries <= high && a.score <= most);
    return entries;
}

/* The size before the first point that costs more than this fraction of the step. */
static double last_below(const struct window *w, const struct fitted_level *level, double part)
{
    for (size_t i = 1; i < w->count; i++)
        if (w->at[i].ns > level->knee.plateau_ns + part * level->knee.step_ns)
            return w->at[i - 1].pages;
    return level->most;
}

/* Extends the range to the nearest number of sets that is a power of two. */
static void allow_power(const struct attempt *best, struct fitted_level *level)
{
    double above = best->shape.before, ways = best->shape.ways;
    double power = above + ways * exp2(round(log2((best->entries - above) / ways)));
    if (fabs(power / best->entries - 1) > nearly_power)
        return;
    level->least = fmin(level->least, power);
    level->most = fmax(level->most, power);
}

static void set_range(struct window *w, const struct attempt *kinds, size_t count,
                      const struct attempt *best, struct fitted_level *level)
{
    double most = best->score + as_well;
    level->least = level->most = level->entries;
    for (size_t i = 0; i < count; i++) {
        const struct attempt *a = &kinds[i];
        if (a->score > most)
            continue;
        double unsure = a->shape.order != ORDER_FIXED ? bend_unsure : range_least;
        level->least = fmin(level->least, round(end_of_range(w, *a, most, -1) * (1 - unsure)));
        level->most = fmax(level->most, round(end_of_range(w, *a, most, 1) * (1 + unsure)));
    }
    if (level->odd)
        allow_power(best, level);
    if (w->before == 0 || level->poor)
        level->least = fmin(level->least, last_below(w, level, lucky));
    if (level->poor)
        level->most = fmax(level->most, last_below(w, level, half));
}

/* ---- level ---- */

/* The smallest size at which this share misses, to a part in a thousand. */
static double size_at(const struct fitted_level *level, double share)
{
    double pages = level->entries / 2;
    while (pages < 8 * level->entries && fit_share(level, pages) < share)
        pages = fmax(pages + 1, pages * fine);
    return pages;
}

void level_describe(const struct curve *rest, struct fitted_level *level)
{
    size_t last = rest->count - 1;
    double begins = size_at(level, few);
    level->knee.before = 0;
    while (level->knee.before + 1 < last &&
           fit_share(level, rest->at[level->knee.before + 1].pages) < few)
        level->knee.before++;
    level->knee.after = level->knee.end = level->knee.before + 1;
    while (level->knee.end < last && fit_share(level, rest->at[level->knee.end].pages) < nearly_all)
        level->knee.end++;
    bool bend = level->kind.order != ORDER_FIXED;
    level->knee.gradual = !bend && curve_is_gradual(begins, size_at(level, half));
    level->knee.reaches_end = level->knee.end == last &&
                              !(bend && rest->at[last].pages > bend_shown * level->entries);
}

/* The step over its standard error. */
static double significance_of(struct window *w, const struct attempt *a)
{
    struct attempt again = *a;
    struct line_sums sums = {0};
    score(w, &again); /* sets w->share */
    for (size_t i = 0; i < w->count; i++)
        stats_line_add(&sums, 1 / w->variance[i], w->share[i], 0);
    return a->step_ns * sqrt(stats_line(&sums).xx / w->scale);
}

void level_improve(const struct curve *rest, struct fitted_level *level, size_t first, size_t last,
                   const struct fitted_level *below, enum kinds of, double within, bool ranges)
{
    struct attempt kinds[KINDS_MOST];
    struct window w = window_of(rest, level, first, last);
    double before = below != NULL ? below->entries : 0;
    w.before = before;
    if (below != NULL) {
        w.base_ns = below->knee.plateau_ns;
        w.base_weight = pow(base_error * below->knee.step_ns, -2);
    }
    size_t count = search_all(&w, kinds, of, level->entries, before, within);
    refine(&w, kinds, count);
    rescale(&w, kinds, count, level->entries / within, level->entries * within);
    if (count > 0) {
        const struct attempt *best = &kinds[best_of(kinds, count)];
        level->kind = best->shape;
        level->entries = best->entries;
        level->knee.plateau_ns = best->base_ns;
        level->knee.step_ns = best->step_ns;
        level->knee.significance = significance_of(&w, best);
        level->odd = best->shape.ways > 0 && kinds_odd(&best->shape, best->entries, before) > 0;
        level->poor = best->mean > usual_mean;
        level_describe(rest, level);
        while (level->knee.before > 0 &&
               rest->at[level->knee.before - 1].pages > last_below(&w, level, lucky))
            level->knee.before--;
        level->knee.after = level->knee.before + 1;
        if (ranges)
            set_range(&w, kinds, count, best, level);
    }
    free(w.variance);
}
