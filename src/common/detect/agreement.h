/* agreement.h: whether several runs give the same answers. */
#ifndef TLBLAB_DETECT_AGREEMENT_H
#define TLBLAB_DETECT_AGREEMENT_H

#include "detect/boundary.h"
#include <stddef.h>

/* Says of each boundary, in the order of appearance, in how many of the `runs` it was found alike:
 * a run, which is told by the file in a row's label, agrees when its range holds the median of all
 * that found it (the lower one of two). Those that don't are named with their answer. One line
 * each, without its newline:
 *
 *     dtlb 1: 96 in 4 of 5 runs; 95 in b.tsv
 *     dtlb 2: 1989-2201 (median 2050) in 5 of 5 runs
 *
 * Boundaries without a level are left out. */
void agreement_tell(const struct boundary *rows, size_t count, size_t runs,
                    void (*say)(const char *line));

#endif
