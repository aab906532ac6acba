/* claim_check.h: a machine's claim about a boundary, compared with the measurement. */
#ifndef TLBLAB_DETECT_CLAIM_CHECK_H
#define TLBLAB_DETECT_CLAIM_CHECK_H

#include "tlb/detect/boundary.h"

/* Sets the row's claim and error from the text of the claim ("" or NULL: none). Of two numbers the
 * one nearer to the measurement is used, with the note `claim_unit_hidden`. A claim is
 * `claim_doubtful`, and has no error, if it is below `first`, the claim of the first level, or if
 * it is outside the measured range by more than the range's width and a quarter of the size. An
 * answer of low confidence never casts doubt on a claim. */
void claim_check(struct boundary *boundary, const char *claim, const char *first);

#endif
