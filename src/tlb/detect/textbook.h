/* textbook.h: two methods for cache sizes that fail, for students to compare with, as section 11 of
 * "Key Learnings: Memory Hierarchies & Benchmarking" describes them. */
#ifndef TLBLAB_DETECT_TEXTBOOK_H
#define TLBLAB_DETECT_TEXTBOOK_H

#include "access/series.h"
#include "tlb/detect/boundary.h"

/* Method `jump`: one row, at the largest ratio between the latencies of neighbouring sizes. It
 * misses a rise over several sizes, takes a spike for a boundary, and finds only the cache with the
 * largest step. */
void textbook_jump(const struct series *series, const struct point *line, struct boundaries *found);

/* Method `plateau`: one row for each end of a flat region. A region ends when the mean of the next
 * octave is a tenth above the region's mean. The next one begins when two neighbours differ by less
 * than 5 per cent. The forward window reports a transition too early, gradual ones most. */
void textbook_plateau(const struct series *series, const struct point *line,
                      struct boundaries *found);

#endif
