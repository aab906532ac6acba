/* textbook.h: three methods for cache sizes, for students to compare with, as described in section
 * 11 of "Key Learnings: Memory Hierarchies & Benchmarking". Each judges the curve of
 * curve_line() of a sorted series. */
#ifndef TLBLAB_DETECT_TEXTBOOK_H
#define TLBLAB_DETECT_TEXTBOOK_H

#include "access/series.h"
#include "tlb/detect/boundary.h"

/* Method `jump`, flawed: one row, at the largest ratio between the latencies of neighbouring sizes.
 * It misses a rise spread over several sizes, mistakes a spike for a boundary, and finds only the
 * cache with the largest step. */
void textbook_jump(const struct series *series, struct boundaries *found);

/* Method `plateau`, flawed: one row for each end of a flat region. A region ends when the mean of
 * the next octave is a tenth above the region's mean. The next one starts when two neighbours
 * differ by less than 5 per cent. The forward window reports transitions too early, gradual ones
 * most of all. */
void textbook_plateau(const struct series *series, struct boundaries *found);

/* Method `derivative`: one row for each peak of the derivative. The text leaves the grid, the
 * widths of the difference and the second filter, the peaks, and the latency of a plateau open;
 * they are defined here, as in exercise 16:
 *   1. ln(ns) over ln(size), interpolated on an even grid of 8 sizes per octave: the filters are
 *      then equally wide at any density of samples;
 *   2. median filter of radius 3 (less near the ends);
 *   3. derivative: the difference over two grid sizes to either side;
 *   4. median filter of radius 1;
 *   5. peaks: local maxima of at least 0.25 (latency grows by a fifth per octave). The transition
 *      extends to both sides while the derivative is at least 0.1 and a tenth of the peak. A
 *      plateau is the median of the octave beside it; a rise of less than 15 per cent is none;
 *   6. the size, in nodes, where the unfiltered curve exceeds the geometric mean of the two
 *      plateaus at two neighbouring points, interpolated in log-log;
 *   7. the range: the measured sizes below and above it.
 * Note `at_end_of_sweep`: it rises within the last half octave. It meets no criterion, as a
 * crossing is no capacity (with random page frames and 8 ways, 0.83 of it). */
void textbook_derivative(const struct series *series, struct boundaries *found);

#endif
