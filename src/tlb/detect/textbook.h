/* textbook.h: two flawed methods for cache sizes, for students to compare with, as described in
 * section 11 of "Key Learnings: Memory Hierarchies & Benchmarking". */
#ifndef TLBLAB_DETECT_TEXTBOOK_H
#define TLBLAB_DETECT_TEXTBOOK_H

#include "access/series.h"
#include "tlb/detect/boundary.h"

/* Method `jump`: one row, at the largest ratio between the latencies of neighbouring sizes. It
 * misses a rise spread over several sizes, mistakes a spike for a boundary, and finds only the
 * cache with the largest step. */
void textbook_jump(const struct series *series, const struct point *line, struct boundaries *found);

/* Method `plateau`: one row for each end of a flat region. A region ends when the mean of the next
 * octave is a tenth above the region's mean. The next one starts when two neighbours differ by less
 * than 5 per cent. The forward window reports transitions too early, gradual ones most of all. */
void textbook_plateau(const struct series *series, const struct point *line,
                      struct boundaries *found);

#endif
