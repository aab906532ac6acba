/* questions.h: the moments that show the levels of a data TLB (tlb/laps/levels.h). */
#ifndef TLBLAB_PLAN_QUESTIONS_H
#define TLBLAB_PLAN_QUESTIONS_H

#include "tlb/plan/batch.h"
#include <stdbool.h>

/* Whether the plan's points can be asked about so: preset tlb, loads from scattered base pages, a
 * page apart, in a range that has a second level. */
bool questions_apply(const struct plan_options *options);

/* The points of the next moments, to be freed by the caller, and their number; 0 if all is settled,
 * or the time for it is over. Before `curve`, the curve is not measured yet: then they end as soon
 * as there is an answer. */
size_t questions_next(const struct plan_options *options, const struct series *series, bool curve,
                      struct point **points);

#endif
