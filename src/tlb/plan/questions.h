/* questions.h: the moments that show the levels of a TLB (tlb/laps/levels.h). */
#ifndef TLBLAB_PLAN_QUESTIONS_H
#define TLBLAB_PLAN_QUESTIONS_H

#include "tlb/laps/fits.h"
#include "tlb/plan/batch.h"
#include <stdbool.h>

/* Whether the plan asks in moments: for the levels of a TLB or their organisation, pages a page
 * apart, a kernel that times its runs, and as many samples as the plan likes. */
bool questions_apply(const struct plan_options *options);

/* The points of the next moments, to be freed by the caller, and their number; 0 if each question
 * is settled, or has had its maximum of moments. `curve`: the curve has been measured; before, a
 * likely answer and fewer moments are enough. */
size_t questions_next(const struct plan_options *options, const struct series *series, bool curve,
                      struct point **points);

/* Appends the next moments of a question, from ++*moment on, if its family (NULL: not begun) needs
 * more; `curve` as above. */
void questions_ask(const struct question *question, const struct family *family,
                   const struct fits *fits, bool curve, uint64_t *moment, struct points *points);

#endif
