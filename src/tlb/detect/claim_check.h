/* claim_check.h: what a machine claims of a boundary, beside what was measured. */
#ifndef TLBLAB_DETECT_CLAIM_CHECK_H
#define TLBLAB_DETECT_CLAIM_CHECK_H

#include "tlb/detect/boundary.h"

/* Sets the row's claim and error from the text of the claim ("" or NULL: none). Of two numbers the
 * one nearer to the measurement counts, and the note is `claim_unit_hidden`. A claim below `first`,
 * that of the first level, and one that lies outside the measured range by more than its width and
 * a quarter of the size, are `claim_doubtful` and have no error. An answer of low confidence casts
 * no doubt on a claim. */
void claim_check(struct boundary *boundary, const char *claim, const char *first);

#endif
