/* curve.h: from samples to curves over the number of nodes. Noise only adds time, so each size is
 * represented by its fastest lap. */
#ifndef TLBLAB_CURVE_CURVE_H
#define TLBLAB_CURVE_CURVE_H

#include "access/series.h"
#include <stdbool.h>
#include <stddef.h>

/* A point of a curve: a value, how much lower it may be without noise, and the time of a load, to
 * which rises are compared. */
struct curve_point {
    double pages, ns, error, load_ns;
    size_t samples;
};

/* Of more than 1000 sizes those that are 0.5 % apart. */
struct curve {
    struct curve_point *at; /* ascending in pages */
    size_t count;
    double spacing; /* bytes between nodes; 0: an empty curve */
};

/* The curve of a point (empty for NULL): the fastest lap at each size. The error is the distance to
 * the next lap of that size. The series is sorted. */
struct curve curve_minima(const struct series *series, const struct point *point);

/* The same for a curve that cannot fall when nodes are added, as that of a TLB or a cache: the
 * fastest lap at a size or a larger one. */
struct curve curve_alone(const struct series *series, const struct point *point);

/* curve_alone() of `page` (any point on it, of layout `page`) minus that of `packed` under the same
 * kernel, which is translation alone; empty if there is no `packed`. */
struct curve curve_difference(const struct series *series, const struct point *page);

/* The first point of layout `packed` under the same kernel, preferably on the same backing and page
 * size; or NULL. */
const struct point *curve_packed(const struct series *series, const struct point *page);

/* A point of the latency curve that shows the caches: of layout local, else line, else packed, at
 * the smallest spacing; or NULL. */
const struct point *curve_line(const struct series *series);

void curve_free(struct curve *curve);

/* ---- knees ----
 *
 * Where a curve rises from one plateau to the next, found step by step along it. They show caches,
 * and the levels of a TLB where no moments were measured (tlb/laps/levels.h). No threshold is an
 * absolute time. */

/* A rise from one plateau to the next: curve points `before` (the last of the lower plateau),
 * `after` (the first above it) and `end` (the first of the upper plateau, or the last point). */
struct knee {
    size_t before, after, end;
    double plateau_ns;
    double plateau_error; /* its standard error */
    double step_ns;       /* upper plateau minus lower */
    bool gradual;         /* half of the step lies beyond 7/6 of its start */
    bool reaches_end;     /* less than half an octave follows the end */
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
