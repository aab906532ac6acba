/* derivative.h: transitions of a latency curve as peaks of its derivative: section 11 of the text
 * "Key Learnings: Memory Hierarchies & Benchmarking", whole. What the text leaves open is settled
 * here: the grid, the width of the difference and of the second filter, what counts as a peak, and
 * what a plateau's latency is. */
#ifndef TLBLAB_DETECT_DERIVATIVE_H
#define TLBLAB_DETECT_DERIVATIVE_H

#include "access/series.h"
#include "curve/curve.h"
#include "detect/boundary.h"
#include <stdbool.h>
#include <stddef.h>

/* A rise from one plateau to the next, between the curve's points `first` (the last of the lower
 * plateau) and `last` (the first of the upper one, or the curve's last). */
struct transition {
    size_t first, last;
    double lower_ns, upper_ns; /* of the plateaus: median of the octave beside the rise, or of the
                                  part of it that the next rise leaves */
    double steepest;           /* d(ln ns) / d(ln size) at the peak */
    int slopes;  /* peaks with a valley below three quarters of the lower one between them, and no
                    deeper one */
    bool joined; /* no plateau between the transition before and this one */
    bool reaches_end; /* still rising at the last point, or half an octave before it */
};

enum { TRANSITIONS_MOST = 12 }; /* [bound] */

/* Finds the transitions in ascending order; returns their number.
 *   1. ln(ns) over ln(size), interpolated on an even grid of 8 sizes an octave, so that a filter's
 *      width is the same part of an octave however dense the samples are;
 *   2. median filter of radius 3 (at the ends the radius that fits);
 *   3. derivative: the difference over two grid sizes to either side;
 *   4. median filter of radius 1;
 *   5. peaks: local maxima of 0.25 or more (latency grows by a fifth in an octave). The transition
 *      extends to either side while the derivative is 0.1 or more and a tenth of the peak. A valley
 *      below half of the lower one of two peaks divides them: then they are joined. A rise of less
 *      than 15 per cent is none.
 * Steps 6 and 7 are derivative_crossing(). */
size_t derivative_transitions(const struct curve *curve, struct transition found[TRANSITIONS_MOST]);

/* The size (in the curve's unit) where the samples themselves, unfiltered, come to exceed `ns`
 * within the transition, interpolated in log-log; *below is the point before it. The first crossing
 * that the next point confirms. */
double derivative_crossing(const struct curve *curve, const struct transition *t, double ns,
                           size_t *below);

/* Whether the rise from a tenth to nine tenths of the step takes a third of the size or more. */
bool derivative_gradual(const struct curve *curve, const struct transition *t);

/* Confidence, and the notes `gradual`, `joined`, `at_end_of_sweep` and `sparse` (less than 4 sizes
 * an octave on average): high for none of them and 3 samples of every size in the transition, low
 * for the last three. */
void derivative_judge(struct boundary *boundary, const struct curve *curve,
                      const struct transition *t, bool gradual);

/* Adds a row for every transition of the curve that `line` lies on (layout line, local or packed;
 * the series is sorted): `cache`, entries = lines of `line`'s spacing where the latency is the
 * geometric mean of the two plateaus, bytes_min and bytes_max the sizes measured below and above
 * that. Notes: `gradual` where the rise from a tenth to nine tenths takes a third of the size or
 * more, `joined`, `at_end_of_sweep`, `sparse` (less than 4 sizes an octave). */
void derivative_detect(const struct series *series, const struct point *line,
                       struct boundaries *found);

/* The samples that such methods read: those of layout local, else line, else packed, at the least
 * spacing; NULL for none. The series is sorted. */
const struct point *derivative_line(const struct series *series);

/* Their curve (to be freed): each size at its minimum where noise mostly adds time, at more than
 * half of the sizes and over all (curve_alone()), else at its median: in a transition chains differ
 * in the luck of their page frames too, and the luckiest is not the truth. */
struct curve derivative_curve(const struct series *series, const struct point *line);

#endif
