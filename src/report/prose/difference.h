/* difference.h: a row of a comparison as a sentence. */
#ifndef TLBLAB_PROSE_DIFFERENCE_H
#define TLBLAB_PROSE_DIFFERENCE_H

#include "report/run/comparison.h"
#include "tlb/detect/boundary.h"

/* "first-level data TLB", "cost of a page walk": what a level or a figure is about. */
const char *difference_subject(const struct comparison *row, char text[SENTENCE_ROOM]);

/* "First-level data TLB: 96 entries in A, 72 entries in B." The clocks of both runs in GHz; NaN:
 * unknown, so times have no cycles. */
const char *difference_sentence(const struct comparison *row, double ghz_a, double ghz_b,
                                char text[SENTENCE_ROOM]);

#endif
