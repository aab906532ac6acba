/* boundary_diff.h: what differs between two answers from nearly the same samples. */
#ifndef TLBLAB_DETECT_BOUNDARY_DIFF_H
#define TLBLAB_DETECT_BOUNDARY_DIFF_H

#include "detect/boundary.h"
#include <stddef.h>

/* Writes what becomes of each level, "; dtlb 2: 2050, not 2193; cache 1: not found", where the
 * other answer does not lie within the range of the first; "" where all do. */
void boundary_diff(const struct boundaries *first, const struct boundaries *other, char *text,
                   size_t room);

#endif
