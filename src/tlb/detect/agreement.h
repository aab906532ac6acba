/* agreement.h: whether several runs, or two sets of samples, give the same answers. */
#ifndef TLBLAB_DETECT_AGREEMENT_H
#define TLBLAB_DETECT_AGREEMENT_H

#include "tlb/detect/boundary.h"
#include <stddef.h>

/* Calls `say` with a line (without newline) for each boundary, in order of appearance: how many of
 * the `runs` agree. The file in a row's label identifies its run. A run agrees if its range
 * contains the (lower) median of all runs that found the boundary. Runs that disagree are listed
 * with their entries, the smallest first:
 *
 *     dtlb 1: 96 in 4 of 5 runs; 95 in b.tsv
 *     dtlb 2: 1989-2201 (median 2050) in 5 of 5 runs
 *
 * Boundaries without a level are left out. */
void agreement_report(const struct boundary *rows, size_t count, size_t runs,
                      void (*say)(const char *line));

/* Writes the levels for which the other answer lies outside the range of the first, as "dtlb 2:
 * 2050, not 2193; cache 1: none, not 512"; "" if all agree. */
void agreement_diff(const struct boundaries *first, const struct boundaries *other, char *text,
                    size_t size);

#endif
