/* derivative.h: transitions of a latency curve as peaks of its derivative: section 11 of the text
 * "Key Learnings: Memory Hierarchies & Benchmarking". The text leaves the grid, the widths of the
 * difference and the second filter, the peaks, and the latency of a plateau open; they are defined
 * here. */
#ifndef TLBLAB_DETECT_DERIVATIVE_H
#define TLBLAB_DETECT_DERIVATIVE_H

#include "access/series.h"
#include "tlb/curve/curve.h"
#include "tlb/detect/boundary.h"
#include <stdbool.h>
#include <stddef.h>

/* A rise between two plateaus: from point `first`, the last of the lower plateau, to `last`, the
 * first of the upper one or the end of the curve. */
struct transition {
    size_t first, last;
    double lower_ns, upper_ns; /* of the plateaus: median of up to an octave beside the rise */
    double steepest;           /* d(ln ns) / d(ln size) at the peak */
    int slopes;       /* peaks, with valleys of half to 3/4 of the lower peak between them */
    bool joined;      /* no plateau between the transition before and this one */
    bool reaches_end; /* rises within the last half octave */
};

enum { TRANSITIONS_MAX = 12 }; /* [bound] */

/* Finds the transitions in ascending order; returns their number.
 *   1. ln(ns) over ln(size), interpolated on an even grid of 8 sizes per octave: the filters are
 *      then equally wide at any density of samples;
 *   2. median filter of radius 3 (less near the ends);
 *   3. derivative: the difference over two grid sizes to either side;
 *   4. median filter of radius 1;
 *   5. peaks: local maxima of at least 0.25 (latency grows by a fifth per octave). The transition
 *      extends to both sides while the derivative is at least 0.1 and a tenth of the peak. A valley
 *      below half of the lower of two peaks separates two joined transitions. A rise of less than
 *      15 per cent is not a transition.
 * Steps 6 and 7 are derivative_crossing(). */
size_t derivative_transitions(const struct curve *curve, struct transition found[TRANSITIONS_MAX]);

/* The size (in the curve's unit) where the unfiltered curve first exceeds `ns` at two neighbouring
 * points within the transition, interpolated in log-log; *below is the point before it. */
double derivative_crossing(const struct curve *curve, const struct transition *t, double ns,
                           size_t *below);

/* Whether the sizes at a tenth and nine tenths of the step differ by a third or more. */
bool derivative_gradual(const struct curve *curve, const struct transition *t);

/* Sets the notes `gradual`, `joined`, `at_end_of_sweep` and `sparse` (fewer than 4 sizes per
 * octave), and the confidence: low with one of the last three; high without notes and with 3
 * samples of every size in the transition; else medium. */
void derivative_describe(struct boundary *boundary, const struct curve *curve,
                         const struct transition *t, bool gradual);

/* Adds a row `cache` for every transition of the curve of `line` (layout line, local or packed; the
 * series is sorted), judged by derivative_describe(): entries is the size, in nodes, where the
 * latency is the geometric mean of the two plateaus; the range is the measured sizes below and
 * above it. */
void derivative_detect(const struct series *series, const struct point *line,
                       struct boundaries *found);

/* A point of the curve that these methods read: layout local, else line, else packed, at the
 * smallest spacing; NULL: none. The series is sorted. */
const struct point *derivative_line(const struct series *series);

/* The curve of `line` (to be freed): the minimum of each size if noise mostly adds time, both at
 * more than half of the sizes and overall (curve_alone()), else the median. Within a transition
 * samples also differ by their page frames, so their minimum underestimates the latency. */
struct curve derivative_curve(const struct series *series, const struct point *line);

#endif
