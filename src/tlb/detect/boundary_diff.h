/* boundary_diff.h: the differences between the boundaries of two sets of samples. */
#ifndef TLBLAB_DETECT_BOUNDARY_DIFF_H
#define TLBLAB_DETECT_BOUNDARY_DIFF_H

#include "tlb/detect/boundary.h"
#include <stddef.h>

/* Writes the levels for which the other answer lies outside the range of the first, as "dtlb 2:
 * 2050, not 2193; cache 1: not found"; "" if all agree. */
void boundary_diff(const struct boundaries *first, const struct boundaries *other, char *text,
                   size_t size);

#endif
