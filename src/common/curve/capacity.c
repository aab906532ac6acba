/* capacity.c: the capacity behind a knee, by least squares. */
#include "curve/capacity.h"
#include "base/error.h"
#include "base/stats.h"
#include <math.h>
#include <stdlib.h>

/* Ways that are tried, 0 for fully associative. For all but LRU with evenly filled sets every
 * second one does: in between the curves hardly differ. [prior] */
static const double ways_tried[] = {0,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14,
                                    15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 28, 32};
static const double every_way = 6;
enum { WAYS = sizeof ways_tried / sizeof *ways_tried, SHAPES_MOST = 12 * WAYS }; /* [bound] */

/* Half of a gradual step is done between these parts of the capacity, for all shapes. [physics] */
static const double half_way_least = 0.85, half_way_most = 2;

/* A sharp one begins at the capacity: from this part of the bracket on. [prior] */
static const double sharp_least = 0.95;

/* Steps between capacities that are tried: at first, for curves that are smooth and for those that
 * have corners, then around the best. [bound] */
static const double coarse_smooth = 1.02, coarse_corners = 1.004, fine = 1.001;

/* No point is known better than this part of the step and of a load: no processor is quite what the
 * shapes say. [prior] */
static const double step_floor = 0.005, load_floor = 0.001;

/* What an exclusive level, and another rule than LRU, must fit better: there are fewer of them. And
 * no TLB is known to have a number of sets that is no power of two; a fully associative one stands
 * between. [prior] */
static const double rare_exclusive = 3, rare_rule = 5, odd_sets = 20, no_sets = 10;

/* What fits worse than that on a coarse grid is no better on a fine one. [bound] */
static const double worth_refining = 300;

/* A range is at least this part of the capacity to either side. [prior] */
static const double range_least = 0.0015;

/* Sets that differ need not be those of a hashed index. Where others hold some of the entries the
 * level has more than it shows, where a set gives way to a few pages too many by and by it has
 * less. On virtual Xeons with 2048 entries, where both is so, hashed curves of 1800 to 2200 fit.
 * [tuned: virtual Xeons] */
static const double sets_least = 0.9, sets_most = 1.15;

/* Where replacement in an exclusive level is not LRU it may be known by this part of the level
 * before only: entries that move up leave holes, whose filling no shape describes. [prior] */
static const double exclusive_unsure = 0.25;

/* What fits this much worse than the best fits about as well; and the best fits poorly when its
 * errors are this many times their size. [significance] */
static const double as_well = 6, poor_least = 1.5;

/* Shares of misses of less variance are the same: no step can be told from them. [bound] */
static const double share_flat = 1e-9;

/* The points of a fit, and what they weigh. */
struct rise {
    const struct curve_point *at;
    size_t count;
    double *weight;
    double step_ns; /* about */
};

/* One kind of level at one capacity, and how well it fits. */
struct candidate {
    struct miss_curve shape;
    double entries, step_ns;
    double handicap; /* of the score: what there are few of */
    double squares;  /* of the errors by their size, each */
    double score;    /* minus twice the logarithm of the likelihood, up to what is common to all */
};

/* The median square of normal errors of size one. [physics] */
static const double median_square = 0.455;

/* How much more the points scatter about their neighbours than their errors say: the median square.
 */
static double roughness(const struct rise *r)
{
    double *squares = allocate(r->count, sizeof *squares), median = 0;
    for (size_t i = 1; i + 1 < r->count; i++) {
        const struct curve_point *left = &r->at[i - 1], *p = &r->at[i], *right = &r->at[i + 1];
        double share = (p->pages - left->pages) / (right->pages - left->pages);
        double off = p->ns - left->ns - share * (right->ns - left->ns);
        squares[i - 1] = off * off /
                         (1 / r->weight[i] + (1 - share) * (1 - share) / r->weight[i - 1] +
                          share * share / r->weight[i + 1]);
    }
    if (r->count > 2)
        median = stats_median(squares, r->count - 2);
    free(squares);
    return fmax(1, median / median_square);
}

static struct rise weigh(const struct curve *curve, const struct knee *knee, size_t first,
                         size_t last)
{
    struct rise r = {curve->at + first, last + 1 - first, NULL, knee->step_ns};
    r.weight = allocate(r.count, sizeof *r.weight);
    for (size_t i = 0; i < r.count; i++) {
        double least = fmax(step_floor * r.step_ns, load_floor * r.at[i].load_ns);
        r.weight[i] = 1 / (r.at[i].error * r.at[i].error + least * least);
    }
    double more = roughness(&r);
    for (size_t i = 0; i < r.count; i++)
        r.weight[i] /= more;
    return r;
}

/* Which sets the pages fell into is luck, by which the whole of a curve strays from the expected
 * one. The share of sets that overflowed by n is a sample's distribution, so that luck is a
 * Brownian bridge from 0 to 1. */
struct occupancy_noise {
    double share, variance; /* of the last point */
    double known[3];        /* what is known of it from the points so far, for each of the values */
    double unsure;          /* and the variance of that */
};

/* From the last point to the next. */
static void noise_carry(struct occupancy_noise *luck, double share, double variance)
{
    double alike = 0, carried = 0;
    if (luck->variance > 0 && luck->share < share && variance > 0) {
        alike = luck->share * (1 - share) / ((1 - luck->share) * share);
        carried = sqrt(alike * variance / luck->variance);
    } else if (luck->variance > 0 && variance > 0) {
        alike = 1;
        carried = sqrt(variance / luck->variance);
    }
    luck->unsure = carried * carried * luck->unsure + variance * (1 - alike);
    for (int k = 0; k < 3; k++)
        luck->known[k] *= carried;
    luck->share = share;
    luck->variance = variance;
}

/* What all samples of a point share of the luck that each may have: where their pages were others
 * each time, they differ by it. */
static double frozen(const struct curve_point *p, double variance)
{
    return fmax(0, variance - (double)p->kept * p->error * p->error);
}

/* Adds a point (one, the share of misses, time), less what luck explains of each of the three;
 * returns the logarithm of how much luck makes it less sure (Kalman's filter, with the same gains
 * for all three). */
static double add_point(struct line_sums *sums, struct occupancy_noise *luck, const double value[3],
                        double weight)
{
    double variance = luck->unsure + 1 / weight, gain = luck->unsure / variance, off[3];
    for (int k = 0; k < 3; k++) {
        off[k] = value[k] - luck->known[k];
        luck->known[k] += gain * off[k];
    }
    sums->weight += off[0] * off[0] / variance; /* what stands for one is less than that */
    sums->x += off[0] * off[1] / variance;
    sums->y += off[0] * off[2] / variance;
    sums->xx += off[1] * off[1] / variance;
    sums->xy += off[1] * off[2] / variance;
    sums->yy += off[2] * off[2] / variance;
    luck->unsure *= 1 - gain;
    return log(variance * weight);
}

/* Fits the line a + b × missing. */
static double fit(const struct rise *r, struct candidate *c)
{
    struct line_sums sums = {0};
    struct occupancy_noise luck = {0};
    double logs = 0;
    for (size_t i = 0; i < r->count; i++) {
        double variance, m = miss_curve_share(&c->shape, c->entries, r->at[i].pages, &variance);
        noise_carry(&luck, m, frozen(&r->at[i], variance * r->step_ns * r->step_ns));
        logs += add_point(&sums, &luck, (double[]){1, m, r->at[i].ns - r->at[0].ns}, r->weight[i]);
    }
    struct line_fit line = stats_line(&sums);
    c->step_ns = line.xx > share_flat * line.weight ? fmax(0, line.slope) : 0;
    double squares = fmax(0, line.yy - c->step_ns * c->step_ns * line.xx);
    c->squares = squares / (double)r->count;
    c->score = squares + logs + c->handicap;
    return c->score;
}

/* Which shapes come into question. */
enum shapes { SHAPES_SHARP, SHAPES_EVEN, SHAPES_ALL };

static bool is_possible(const struct miss_curve *s, enum shapes kind)
{
    bool plain = s->rule == RULE_LRU && !s->hashed;
    if (!plain && s->ways > every_way && fmod(s->ways, 2) > 0)
        return false;
    if (s->rule == RULE_PLRU && s->before == 0 && s->ways > 0 && frexp(s->ways, &(int){0}) == 0.5)
        return false; /* a tree over a power of two is LRU */
    if (s->hashed)
        return kind == SHAPES_ALL && s->ways > 0;
    return kind != SHAPES_SHARP || s->rule == RULE_LRU || (s->rule == RULE_PLRU && s->before > 0);
}

static size_t list_shapes(struct candidate candidates[SHAPES_MOST], enum shapes kind, double before)
{
    size_t count = 0;
    for (int i = 0; i < SHAPES_MOST; i++) {
        bool exclusive = i / (6 * WAYS) > 0;
        struct miss_curve s = {(enum rule)(i % 3), ways_tried[i / 6 % WAYS], i / 3 % 2 > 0,
                               exclusive ? before : 0};
        double handicap = (exclusive ? rare_exclusive : 0) + (s.rule != RULE_LRU ? rare_rule : 0);
        if (is_possible(&s, kind) && (!exclusive || before > 0))
            candidates[count++] = (struct candidate){.shape = s, .handicap = handicap};
    }
    return count;
}

/* The best capacity of a shape on a grid from low to high. */
static void search(const struct rise *r, struct candidate *best, double low, double high,
                   double ratio)
{
    struct candidate c = {.shape = best->shape, .handicap = best->handicap};
    best->score = INFINITY;
    for (c.entries = fmax(1, floor(low)); c.entries <= high;
         c.entries = floor(fmax(c.entries + 1, c.entries * ratio)))
        if (fit(r, &c) < best->score)
            *best = c;
}

static double coarse(const struct miss_curve *s)
{
    bool smooth = s->hashed || s->before > 0 || s->rule == RULE_RANDOM;
    return smooth ? coarse_smooth : coarse_corners;
}

/* How far from the best a shape fits about as well, in one direction. */
static double reach(const struct rise *r, struct candidate c, double most, int direction)
{
    double entries, low = c.entries / half_way_most, high = c.entries * half_way_most;
    do {
        entries = c.entries;
        c.entries += direction * fmax(1, floor(entries * (fine - 1)));
    } while (c.entries >= low && c.entries <= high && fit(r, &c) <= most);
    return entries;
}

/* Makes the number of sets the nearest power of two, unless it fits too badly then. */
static void prefer_even_sets(const struct rise *r, struct candidate *c)
{
    double ways = c->shape.ways, before = c->shape.before;
    struct candidate even = {.shape = c->shape, .handicap = c->handicap, .score = INFINITY};
    if (ways > 0) {
        even.entries = before + ways * exp2(round(log2((c->entries - before) / ways)));
        fit(r, &even);
    }
    double rare = ways > 0 ? odd_sets : no_sets;
    c->handicap += rare;
    c->score += rare;
    if (even.score <= c->score)
        *c = even;
}

static size_t best_of(const struct candidate *candidates, size_t count)
{
    size_t best = 0;
    for (size_t i = 1; i < count; i++)
        if (candidates[i].score < candidates[best].score)
            best = i;
    return best;
}

/* Every shape of a kind at its best capacity; returns the best of all. */
static const struct candidate *fit_all(const struct rise *r, const struct knee *knee,
                                       const struct curve *curve, enum shapes kind, double before,
                                       struct candidate candidates[SHAPES_MOST], size_t *count)
{
    double half_way = knee_size_at(curve, knee, 0.5);
    double low = half_way / half_way_most, high = half_way / half_way_least;
    if (kind == SHAPES_SHARP) {
        low = sharp_least * curve->at[knee->before].pages;
        high = curve->at[knee->after + 1 < curve->count ? knee->after + 1 : knee->after].pages - 1;
    }
    *count = list_shapes(candidates, kind, before);
    for (size_t i = 0; i < *count; i++) {
        const struct miss_curve *s = &candidates[i].shape;
        double above = kind == SHAPES_SHARP ? s->before : 0;
        search(r, &candidates[i], low + above, high + above,
               kind == SHAPES_SHARP ? fine : coarse(s));
    }
    double near = candidates[best_of(candidates, *count)].score + worth_refining;
    for (size_t i = 0; i < *count && kind != SHAPES_SHARP; i++)
        if (candidates[i].score <= near)
            search(r, &candidates[i], candidates[i].entries / coarse_smooth,
                   candidates[i].entries * coarse_smooth, fine);
    for (size_t i = 0; i < *count; i++)
        prefer_even_sets(r, &candidates[i]);
    return &candidates[best_of(candidates, *count)];
}

static void widen(struct capacity *capacity, double least, double most)
{
    capacity->least = fmin(capacity->least, round(least * (1 - range_least)));
    capacity->most = fmax(capacity->most, round(most * (1 + range_least)));
}

/* What the knee's own points say. */
static struct capacity bracket(const struct curve *curve, const struct knee *knee)
{
    double least = curve->at[knee->before].pages, most = curve->at[knee->after].pages - 1;
    double foot = fmin(most, fmax(least, floor(knee_foot(curve, knee).pages)));
    return (struct capacity){foot, least, most, knee->step_ns, {.rule = RULE_LRU}, true};
}

struct capacity capacity_fit(const struct curve *curve, const struct knee *knee, size_t first,
                             size_t last, double before)
{
    struct candidate candidates[SHAPES_MOST];
    struct rise r = weigh(curve, knee, first, last);
    size_t count;
    enum shapes kind = knee->gradual ? SHAPES_ALL : SHAPES_SHARP;
    const struct candidate *best = fit_all(&r, knee, curve, kind, before, candidates, &count);
    if (kind == SHAPES_SHARP && best->squares > poor_least) /* noise may hide the foot of a rise */
        best = fit_all(&r, knee, curve, SHAPES_EVEN, before, candidates, &count);
    struct capacity capacity = {best->entries, best->entries, best->entries,
                                best->step_ns, best->shape,   best->squares > poor_least};
    if (best->step_ns <= 0) { /* no shape at all */
        free(r.weight);
        return bracket(curve, knee);
    }
    double most = best->score + as_well;
    for (size_t i = 0; i < count; i++) {
        const struct candidate *c = &candidates[i];
        if (c->score > most)
            continue;
        double less = exclusive_unsure * c->shape.before, more = less;
        if (c->shape.rule == RULE_RANDOM && c->shape.before == 0)
            more = before; /* an exclusive one looks like this at first */
        bool hashed = c->shape.hashed;
        widen(&capacity, reach(&r, *c, most, -1) * (hashed ? sets_least : 1) - less,
              reach(&r, *c, most, 1) * (hashed ? sets_most : 1) + more);
    }
    if (capacity.poor)
        widen(&capacity, curve->at[knee->before].pages, capacity.entries + before);
    free(r.weight);
    return capacity;
}

double capacity_cost(const struct capacity *capacity, double pages)
{
    double luck;
    return capacity->step_ns * miss_curve_share(&capacity->shape, capacity->entries, pages, &luck);
}
