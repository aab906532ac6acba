/* knee.h: knees: where a curve rises from one plateau to the next, found step by step along it.
 * They show caches, and the levels of a TLB where no moments were measured (tlb/laps/levels.h).
 * No threshold is an absolute time. */
#ifndef TLBLAB_CURVE_KNEE_H
#define TLBLAB_CURVE_KNEE_H

#include "tlb/curve/curve.h"
#include <stdbool.h>
#include <stddef.h>

/* A rise from one plateau to the next: curve points `before` (the last of the lower plateau),
 * `after` (the first above it) and `end` (the first of the upper plateau, or the last point). */
struct knee {
    size_t before, after, end;
    double plateau_ns;
    double plateau_error; /* its standard error */
    double step_ns;       /* upper plateau minus lower */
    bool gradual;         /* half of the step lies beyond 7/6 of its start */
    bool reaches_end;     /* still rising at the last point */
};

/* Noise adds less than so many standard errors to a point. */
extern const double noise_errors;

enum { KNEES_MAX = 12 }; /* [bound] */

/* Finds the knees of a curve in ascending order; returns their number. */
size_t knee_find(const struct curve *curve, struct knee knees[KNEES_MAX]);

/* The plateau that ends before point i: the mean over the octave below it (at least three points,
 * none before `start`), with its standard error by the scatter and the errors of the points. */
double knee_plateau(const struct curve *curve, size_t start, size_t i, double *error);

/* The pages at which a fraction (0 to 1) of the knee's step is reached, interpolated linearly. */
double knee_size_at(const struct curve *curve, const struct knee *knee, double part);

#endif
