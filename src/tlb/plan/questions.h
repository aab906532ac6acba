/* questions.h: the moments that show the levels of a data TLB (tlb/laps/levels.h). */
#ifndef TLBLAB_PLAN_QUESTIONS_H
#define TLBLAB_PLAN_QUESTIONS_H

#include "tlb/plan/batch.h"
#include <stdbool.h>

/* Whether the plan asks in moments: for the levels of a TLB, pages a page apart, a kernel that
 * times its runs, and as many samples as the plan likes. */
bool questions_apply(const struct plan_options *options);

/* The points of the next moments, to be freed by the caller, and their number; 0 if each question
 * is settled, or has had its maximum of moments. `curve`: the curve has been measured; before, a
 * likely answer and fewer moments are enough. */
size_t questions_next(const struct plan_options *options, const struct series *series, bool curve,
                      struct point **points);

#endif
