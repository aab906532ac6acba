/* textbook.h: two ways to look for cache sizes that do not work, for students to see them fail, as
 * section 11 of "Key Learnings: Memory Hierarchies & Benchmarking" describes them. */
#ifndef TLBLAB_DETECT_TEXTBOOK_H
#define TLBLAB_DETECT_TEXTBOOK_H

#include "access/series.h"
#include "detect/boundary.h"

/* Method `jump`: the biggest ratio between the latencies of neighbouring sizes is the boundary; one
 * row. It says where one sample differs most from the next: a rise that spans several of them has
 * no such place, a spike has one, and of several caches it sees the one with the largest step. */
void textbook_jump(const struct series *series, const struct point *line, struct boundaries *found);

/* Method `plateau`: a flat region ends where the next sizes, up to an octave on, are together
 * (their mean) a tenth slower than the plateau's mean so far; one row for each. The next plateau
 * begins where two neighbours differ by less than 5 per cent. The window looks forward, so it
 * reports a transition before it comes, the earlier the more gradual. */
void textbook_plateau(const struct series *series, const struct point *line,
                      struct boundaries *found);

#endif
