/* fit.c: all levels of a curve at once. */
#include "tlb/fit/fit.h"
#include "base/error.h"
#include "base/stats.h"
#include "tlb/fit/level.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { POINTS_LEAST = 8 }; /* of a curve [bound] */

/* Ratio of successive capacities in the search for rises. [bound] */
static const double coarse = 1.03;

/* Relative error, in load times, assumed in the search for rises: large, so that their shape hardly
 * matters yet. [prior] */
static const double roughly = 0.03;

/* A rise explains this fraction of the remaining squares when it is found, and of those around it
 * once all are. [significance] */
static const double worth_trying = 0.2, explains_least = 0.4;

/* A level adds at least this fraction of a load's time: page tables moving from one cache to the
 * next, page colour and the clock add less. A jump takes longer than a load, and the first
 * instruction level of Zen 4 and Zen 5 adds a fifth. [prior] */
static const double step_least = 0.2, code_step_least = 0.1;

/* A rise by this many times a load's time is a level, even if no kind fits it. [prior] */
static const double certain_step = 1;

/* Minimum ratio of successive capacities. Walks get slower beyond the second level, so a third must
 * be farther away, and measured up to this multiple of its size. [prior] */
static const double apart = 1.8, third_apart = 4, third_measured = 2;

/* A level is fitted from the end of the one before, or from `window_first` of its size, to
 * `window_last` times its size: beyond, walks may get slower. If the level before ends late, the
 * window still starts at `window_short`. [prior] */
static const double window_first = 0.25, window_short = 0.8, window_last = 1.6;

/* Factors within which capacities are improved: first a wide one, finally a narrow one. [bound] */
static const double within[] = {1.6, 1.15};

struct fit {
    const struct curve *curve;
    double lines;
    enum kinds of;
    struct fitted_level rise[FIT_RISES_MOST + 1];
    size_t count;
};

double fit_share(const struct fitted_level *level, double pages)
{
    double variance;
    return miss_curve_share(&level->kind, level->entries, pages, &variance);
}

double fit_cost(const struct fitted_level *level, double pages)
{
    return level->knee.step_ns * fit_share(level, pages);
}

double fit_packed_share(double entries, double nodes, double lines_per_page)
{
    return fmax(0, 1 - entries * lines_per_page / nodes);
}

/* The cost of rise k to a packed chain. */
static double packed_cost(const struct fit *f, size_t k, double nodes)
{
    return f->rise[k].knee.step_ns * fit_packed_share(f->rise[k].entries, nodes, f->lines);
}

/* The contribution of rise k to the difference. Only loads that miss all earlier levels can miss a
 * level, or cause a slower walk. */
static double cost_at(const struct fit *f, size_t k, size_t i)
{
    double pages = f->curve->at[i].pages, cost = fit_cost(&f->rise[k], pages);
    for (size_t j = 0; j < k && cost > 0; j++)
        cost *= fit_share(&f->rise[j], pages);
    return cost - packed_cost(f, k, pages);
}

/* ---- search for rises ---- */

/* The columns of a linear model, weighted and orthonormal, and the times orthogonal to them. */
struct columns {
    double *weight, *ns, *column[FIT_RISES_MOST + 3];
    size_t count, points;
};

static double dot(const double *a, const double *b, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

static void remove_part(double *from, const double *column, size_t n)
{
    double part = dot(from, column, n);
    for (size_t i = 0; i < n; i++)
        from[i] -= part * column[i];
}

/* Makes a new column orthogonal to the others; returns its squared length. */
static double reduce(const struct columns *c, double *column)
{
    for (size_t k = 0; k < c->count; k++)
        remove_part(column, c->column[k], c->points);
    return dot(column, column, c->points);
}

static void add_column(struct columns *c, double *column)
{
    double length = sqrt(reduce(c, column));
    for (size_t i = 0; i < c->points; i++)
        column[i] /= fmax(length, 1e-12);
    remove_part(c->ns, column, c->points);
    c->column[c->count++] = column;
}

/* A constant and the rises found so far. */
static struct columns columns_of(const struct fit *f)
{
    size_t n = f->curve->count;
    struct columns c = {.points = n};
    double *memory = allocate(n, (4 + FIT_RISES_MOST) * sizeof *memory);
    c.weight = memory;
    c.ns = memory + n;
    for (size_t i = 0; i < n; i++) {
        const struct curve_point *p = &f->curve->at[i];
        c.weight[i] = 1 / hypot(p->error, roughly * p->load_ns);
        c.ns[i] = c.weight[i] * p->ns;
        memory[2 * n + i] = c.weight[i];
    }
    add_column(&c, memory + 2 * n);
    for (size_t k = 0; k < f->count; k++) {
        double *column = memory + (3 + k) * n;
        for (size_t i = 0; i < n; i++)
            column[i] = c.weight[i] * cost_at(f, k, i);
        add_column(&c, column);
    }
    c.column[c.count] = memory + (3 + f->count) * n; /* memory for a trial column */
    return c;
}

/* The part of the remaining squares that a level explains; sets its step. */
static double try_level(const struct fit *f, const struct columns *c, struct fitted_level *level)
{
    double *column = c->column[c->count];
    for (size_t i = 0; i < c->points; i++) {
        double pages = f->curve->at[i].pages;
        double packed = fit_packed_share(level->entries, pages, f->lines);
        column[i] = c->weight[i] * (fit_share(level, pages) - packed);
    }
    double length = reduce(c, column), part = dot(c->ns, column, c->points);
    level->knee.step_ns = part / fmax(length, 1e-12);
    return part > 0 && length > 0 ? part * part / length : 0;
}

static bool is_apart(const struct fit *f, double entries)
{
    for (size_t k = 0; k < f->count; k++)
        if (entries < apart * f->rise[k].entries && f->rise[k].entries < apart * entries)
            return false;
    return true;
}

/* The time of a load just before a level of this many entries. */
static double load_before(const struct curve *curve, double entries)
{
    size_t i = 0;
    while (i + 1 < curve->count && curve->at[i + 1].pages <= entries)
        i++;
    return curve->at[i].load_ns;
}

/* The minimum step of a level after loads of `load_ns`. */
static double least_step(const struct fit *f, double load_ns)
{
    return (f->of == KINDS_CODE ? code_step_least : step_least) * load_ns;
}

/* Finds the rise that explains most of the remaining squares; false if it explains too little. */
static bool find_rise(struct fit *f, struct fitted_level *best)
{
    const struct curve_point *at = f->curve->at;
    struct columns c = columns_of(f);
    double left = dot(c.ns, c.ns, c.points), most = 0;
    struct miss_curve simple[KINDS_SIMPLE];
    size_t kinds = kinds_simple(simple, f->of);
    for (double entries = fmax(8, at[0].pages); entries <= at[c.points - 1].pages;
         entries = floor(fmax(entries + 1, entries * coarse)))
        for (size_t k = 0; k < kinds && is_apart(f, entries); k++) {
            struct fitted_level level = {.kind = simple[k], .entries = entries};
            double explains = try_level(f, &c, &level);
            if (explains > most) {
                most = explains;
                *best = level;
            }
        }
    free(c.weight);
    return most > worth_trying * left &&
           best->knee.step_ns > least_step(f, load_before(f->curve, best->entries)) / 2;
}

/* ---- all rises in turn ---- */

/* The curve without the cost of earlier rises, and of later ones if `later`; packed misses are
 * added back. The caller frees it. */
static struct curve without_others(const struct fit *f, size_t k, bool later)
{
    struct curve rest = {allocate(f->curve->count, sizeof *rest.at), f->curve->count};
    memcpy(rest.at, f->curve->at, rest.count * sizeof *rest.at);
    for (size_t i = 0; i < rest.count; i++) {
        struct curve_point *p = &rest.at[i];
        p->ns += packed_cost(f, k, p->pages);
        for (size_t j = 0; j < k; j++)
            p->ns -= cost_at(f, j, i);
        for (size_t j = k + 1; j < f->count && later; j++)
            p->ns -= cost_at(f, j, i);
    }
    return rest;
}

/* The points used to fit rise k. */
static void set_window(const struct fit *f, size_t k, size_t *first, size_t *last)
{
    const struct curve_point *at = f->curve->at;
    const struct fitted_level *rise = &f->rise[k];
    double most = window_last * rise->entries;
    *first = k > 0 ? rise[-1].knee.end : 0;
    while (*first + POINTS_LEAST < rise->knee.before &&
           at[*first].pages < window_first * rise->entries)
        ++*first;
    while (*first > 0 && at[*first].pages > window_short * rise->entries)
        --*first;
    *last = *first;
    while (*last + 1 < f->curve->count && at[*last + 1].pages <= most)
        ++*last;
}

static void improve(struct fit *f, double factor, bool later, bool ranges)
{
    for (size_t k = 0; k < f->count; k++) {
        size_t first, last;
        struct curve rest = without_others(f, k, later);
        level_describe(&rest, &f->rise[k]);
        set_window(f, k, &first, &last);
        level_improve(&rest, &f->rise[k], first, last, k > 0 ? &f->rise[k - 1] : NULL, f->of,
                      factor, ranges);
        curve_free(&rest);
    }
}

static void insert(struct fit *f, const struct fitted_level *rise)
{
    size_t k = f->count++;
    for (; k > 0 && f->rise[k - 1].entries > rise->entries; k--)
        f->rise[k] = f->rise[k - 1];
    f->rise[k] = *rise;
}

static void drop(struct fit *f, size_t k)
{
    f->count--;
    for (; k < f->count; k++)
        f->rise[k] = f->rise[k + 1];
}

/* Whether the curve rises there by so much that there must be a level, though no kind fits it. */
static bool climbs(const struct fit *f, size_t k)
{
    const struct curve_point *at = f->curve->at, *before = &at[f->rise[k].knee.before];
    return f->of != KINDS_CODE &&
           at[f->rise[k].knee.end].ns - before->ns > certain_step * before->load_ns;
}

/* The fraction of the squares around rise k that it explains; 0 if it is too small for a level or,
 * for code, if a straight line explains more; 1 if it is certain. */
static double explained(const struct fit *f, size_t k)
{
    const struct fitted_level *rise = &f->rise[k];
    const struct curve_point *at = f->curve->at;
    if (rise->knee.step_ns < least_step(f, load_before(f->curve, rise->entries)))
        return 0;
    if (climbs(f, k))
        return 1;
    struct curve rest = without_others(f, k, true);
    double most = window_last * at[rise->knee.end].pages, left = 0;
    struct line_sums sums = {0};
    for (size_t i = 0; i < rest.count; i++) {
        double ns = rest.at[i].ns;
        if (at[i].pages < rise->entries / window_last || at[i].pages > most ||
            (k + 1 < f->count && at[i].pages > rise[1].entries))
            continue;
        stats_line_add(&sums, 1, at[i].pages, ns);
        left += pow(ns - rise->knee.plateau_ns - fit_cost(rise, at[i].pages), 2);
    }
    curve_free(&rest);
    struct line_fit line = stats_line(&sums);
    bool curved = f->of != KINDS_CODE || left < line.yy - line.slope * line.xy;
    return sums.weight >= 3 && curved ? 1 - left / line.yy : 0;
}

/* Drops the rise that explains the smallest fraction, if that is too small. */
static bool drop_worst(struct fit *f)
{
    size_t worst = 0;
    double least = INFINITY;
    for (size_t k = 0; k < f->count; k++) {
        double part = explained(f, k);
        if (part < least) {
            least = part;
            worst = k;
        }
    }
    if (least >= explains_least)
        return false;
    drop(f, worst);
    return true;
}

/* Whether the rises are still apart: two that merge are one. */
static bool are_apart(const struct fit *f)
{
    for (size_t k = 1; k < f->count; k++)
        if (f->rise[k].entries < apart * f->rise[k - 1].entries)
            return false;
    return true;
}

/* Whether rise k is a level. */
static bool is_level(const struct fit *f, size_t k)
{
    const struct fitted_level *rise = &f->rise[k];
    double last = f->curve->at[f->curve->count - 1].pages;
    return k < 2 || f->of == KINDS_CODE ||
           (rise->entries >= third_apart * rise[-1].entries &&
            rise->entries * third_measured <= last);
}

size_t fit_levels(const struct curve *difference, double lines_per_page, enum kinds of,
                  struct fitted_level levels[FIT_LEVELS_MOST])
{
    struct fit f = {.curve = difference, .lines = lines_per_page, .of = of};
    struct fitted_level rise = {.entries = 0};
    double below_ns = 0;
    size_t count = 0;
    if (difference->count < POINTS_LEAST)
        return 0;
    while (f.count < FIT_RISES_MOST && find_rise(&f, &rise)) {
        struct fit before = f;
        insert(&f, &rise);
        improve(&f, within[0], false, false);
        if (are_apart(&f))
            continue;
        f = before;
        break;
    }
    do {
        improve(&f, within[0], true, false);
        improve(&f, within[1], true, true);
    } while (drop_worst(&f));
    for (size_t k = 0; k < f.count && count < FIT_LEVELS_MOST; k++)
        if (is_level(&f, k)) {
            levels[count] = f.rise[k];
            levels[count].knee.plateau_ns += below_ns;
            below_ns += levels[count++].knee.step_ns;
        }
    return count;
}
