/* knee.h: knees: where a curve rises from one plateau to the next. No threshold is an absolute
 * time: what counts as a rise, so also as the first level of a TLB, is errors_least in knee.c. */
#ifndef TLBLAB_CURVE_KNEE_H
#define TLBLAB_CURVE_KNEE_H

#include "tlb/curve/curve.h"
#include <stdbool.h>
#include <stddef.h>

/* A rise from one plateau to the next: curve points `before` (the last of the lower plateau),
 * `after` (the first above it) and `end` (the first of the upper plateau, or the last point). */
struct knee {
    size_t before, after, end;
    double plateau_ns, plateau_error;
    double step_ns;      /* upper plateau minus lower */
    double significance; /* step over its standard error */
    bool gradual;        /* half of the step lies a sixth or more beyond its beginning */
    bool reaches_end;    /* still rising at the last point */
};

enum { KNEES_MOST = 12 }; /* [bound] */

/* Finds the knees of a curve in ascending order; returns their number. */
size_t knee_find(const struct curve *curve, struct knee knees[KNEES_MOST]);

/* Pages at which a part (0 to 1) of the knee's step is reached, linear between points. */
double knee_size_at(const struct curve *curve, const struct knee *knee, double part);

/* The point at 1.3 times the size of point `from` of a rise, where it may begin, or its end.
 * Beyond, the cost of a walk may go on growing. */
size_t knee_near(const struct curve *curve, const struct knee *knee, size_t from);

#endif
