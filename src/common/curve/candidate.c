/* candidate.c: least squares of one kind of level at one capacity. */
#include "curve/candidate.h"
#include "base/error.h"
#include "base/stats.h"
#include <math.h>
#include <stdlib.h>

/* The least of 1, 2, 4 and of eight or more normal variables lies so many standard deviations below
 * their mean (order statistics). [physics] */
static const double least_of[] = {0, 0.56, 1.03, 1.42};

/* Least error of a point, as parts of the step and of a load's time: no processor fits a formula
 * exactly. [prior] */
static const double step_floor = 0.005, load_floor = 0.001;

enum { LOOK_EVERY = 4 }; /* points between looks whether a fit is already too poor [bound] */

/* Shares of misses with less variance are constant and determine no step. [bound] */
static const double share_flat = 1e-9;

/* A share of misses up to this is none. [bound] */
static const double share_none = 1e-7;

struct fit_data fit_data_of(const struct curve *curve, const struct knee *knee, size_t first,
                            size_t last)
{
    struct fit_data r = {curve->at + first, last + 1 - first, NULL, NULL, knee->step_ns, 1};
    r.weight = allocate(r.count, sizeof *r.weight);
    r.flat = allocate(r.count + 1, sizeof *r.flat);
    for (size_t i = 0; i < r.count; i++) {
        double least = fmax(step_floor * r.step_ns, load_floor * r.at[i].load_ns);
        r.weight[i] = 1 / (r.at[i].error * r.at[i].error + least * least);
    }
    fit_data_scale(&r, 1);
    return r;
}

void fit_data_scale(struct fit_data *r, double by)
{
    r->scale *= by;
    for (size_t i = 0; i < r->count; i++) {
        r->weight[i] /= by;
        r->flat[i + 1] = r->flat[i];
        stats_line_add(&r->flat[i + 1], r->weight[i], 0, r->at[i].ns - r->at[0].ns);
    }
}

void fit_data_free(struct fit_data *r)
{
    free(r->weight);
    free(r->flat);
}

/* The random occupancy of sets moves the whole curve off its mean. The share of sets that overflow
 * by n pages is an empirical distribution function, so this noise is a Brownian bridge between
 * shares 0 and 1 (Donsker's theorem). */
struct occupancy_noise {
    double share, variance; /* at the last point */
    double known[3];        /* Kalman estimate from the points so far, for each value */
    double unsure;          /* variance of the estimate */
};

/* Predicts the noise at the next point from that at the last. */
static void noise_carry(struct occupancy_noise *noise, double share, double variance)
{
    double alike = 0, carried = 0;
    if (variance == 0 && noise->unsure == 0) {
        noise->share = share;
        noise->variance = 0;
        return;
    }
    if (noise->variance > 0 && noise->share < share && variance > 0) {
        alike = noise->share * (1 - share) / ((1 - noise->share) * share);
        carried = sqrt(alike * variance / noise->variance);
    } else if (noise->variance > 0 && variance > 0) {
        alike = 1;
        carried = sqrt(variance / noise->variance);
    }
    noise->unsure = carried * carried * noise->unsure + variance * (1 - alike);
    for (int k = 0; k < 3; k++)
        noise->known[k] *= carried;
    noise->share = share;
    noise->variance = variance;
}

/* Variance that a point's samples have in common: that of the mean of so many places, or zero when
 * every sample used other pages. */
static double frozen(const struct curve_point *p, double variance)
{
    if (p->places > 1)
        return variance / (double)p->places;
    double common = variance - (double)p->kept * p->error * p->error;
    return common > 0 ? common : 0;
}

/* Adds a point (1, share of misses, time) after subtracting the estimated occupancy noise of each
 * value: a Kalman filter with one gain for all three. Returns the logarithm of the factor by which
 * this noise increases the point's variance. */
static double add_point(struct line_sums *sums, struct occupancy_noise *noise,
                        const double value[3], double weight)
{
    if (noise->unsure == 0) {
        stats_line_add(sums, weight, value[1], value[2]);
        return 0;
    }
    double more = 1 + noise->unsure * weight, gain = 1 - 1 / more, off[3];
    for (int k = 0; k < 3; k++) {
        off[k] = value[k] - noise->known[k];
        noise->known[k] += gain * off[k];
    }
    weight /= more;
    sums->weight += weight * off[0] * off[0]; /* off[0] is the 1, filtered */
    sums->x += weight * off[0] * off[1];
    sums->y += weight * off[0] * off[2];
    sums->xx += weight * off[1] * off[1];
    sums->xy += weight * off[1] * off[2];
    sums->yy += weight * off[2] * off[2];
    noise->unsure *= 1 - gain;
    return log(more);
}

/* Sets the step, the mean square and the score from the points so far. More points never lower the
 * score. */
static void set_score(struct candidate *c, const struct line_sums *sums, double logs,
                      const struct fit_data *r)
{
    struct line_fit line = stats_line(sums);
    c->step_ns = line.xx > share_flat * line.weight && line.slope > 0 ? line.slope : 0;
    double squares = fmax(0, line.yy - c->step_ns * c->step_ns * line.xx);
    c->squares = squares * r->scale / (double)r->count;
    c->score = squares + logs + c->handicap;
}

/* The first point that misses. */
static size_t first_missing(const struct fit_data *r, const struct candidate *c)
{
    size_t first = 0, last = r->count;
    while (first < last) {
        size_t i = (first + last) / 2;
        double variance;
        if (miss_curve_share(&c->shape, c->entries, r->at[i].pages, &variance) > share_none)
            last = i;
        else
            first = i + 1;
    }
    return first;
}

/* Whether the samples of a point lie on other pages than those of the point before it: several
 * places begin at multiples of a power of two (layout_place()). */
static bool is_elsewhere(const struct curve_point *p)
{
    return p->places > 1 && ceil(log2(p->pages)) > ceil(log2(p[-1].pages));
}

/* By how many standard deviations the luckiest of so many places has less misses than the mean. */
static double lucky_place(size_t places)
{
    return least_of[places >= 8 ? 3 : places >= 4 ? 2 : places >= 2 ? 1 : 0];
}

/* Adds the point to the sums; returns a term of the score. Of a hashed level the mean of the places
 * counts, as far as luck explains how far it lies above the least. It is less sure, since a
 * neighbour may have disturbed all samples of a place. */
static double add_fitted(struct line_sums *sums, struct occupancy_noise *noise,
                         const struct fit_data *r, size_t i, const struct candidate *c)
{
    const struct curve_point *p = &r->at[i];
    double variance, missing = miss_curve_share(&c->shape, c->entries, p->pages, &variance);
    double lucky = lucky_place(p->places) * sqrt(variance) * r->step_ns,
           above = fmin(p->above_ns, lucky);
    double value[] = {1, missing, p->ns + above - r->at[0].ns};
    double more = 1 + r->weight[i] * above * above / fmax(1, (double)p->places);
    if (i > 0 && is_elsewhere(p))
        noise->variance = 0;
    noise_carry(noise, missing, frozen(p, variance * r->step_ns * r->step_ns));
    return log(more) + add_point(sums, noise, value, r->weight[i] / more);
}

double candidate_fit(const struct fit_data *r, struct candidate *c, double most)
{
    struct occupancy_noise noise = {0};
    size_t first = first_missing(r, c);
    struct line_sums sums = r->flat[first];
    double logs = 0;
    set_score(c, &sums, logs, r);
    for (size_t i = first; i < r->count && c->score <= most; i++) {
        logs += add_fitted(&sums, &noise, r, i, c);
        if ((i + 1) % LOOK_EVERY == 0 || i + 1 == r->count)
            set_score(c, &sums, logs, r);
    }
    return c->score;
}
