/* candidate.h: how well one kind of level fits a curve, at one capacity. */
#ifndef TLBLAB_CURVE_CANDIDATE_H
#define TLBLAB_CURVE_CANDIDATE_H

#include "base/stats.h"
#include "curve/curve.h"
#include "curve/knee.h"
#include "curve/miss_curve.h"
#include <stddef.h>

/* The points of a fit. */
struct fit_data {
    const struct curve_point *at;
    size_t count;
    double *weight;         /* 1 / variance, of each point */
    struct line_sums *flat; /* of the points before each, where none of them misses */
    double step_ns;         /* approximate */
    double scale;           /* by which all variances were multiplied */
};

/* One kind of level at one capacity, and how well it fits. */
struct candidate {
    struct miss_curve shape;
    double entries, step_ns;
    double handicap; /* added to the score of rare kinds */
    double squares;  /* mean squared error in standard errors before scaling */
    double score;    /* -2 log likelihood, but for a constant */
};

/* The points first … last of a curve, which cover one knee and its two plateaus. */
struct fit_data fit_data_of(const struct curve *curve, const struct knee *knee, size_t first,
                            size_t last);
void fit_data_free(struct fit_data *r);

/* Multiplies the variances of all points. */
void fit_data_scale(struct fit_data *r, double by);

/* Fits the line a + b × share of misses to the points: sets step_ns, squares and score, and returns
 * the score. It is the likelihood of independent errors of the points and of the random occupancy
 * of sets, a Brownian bridge. A score above `most` may be that of the first points alone. */
double candidate_fit(const struct fit_data *r, struct candidate *c, double most);

#endif
