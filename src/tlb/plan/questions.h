/* questions.h: what a plan asks in moments. */
#ifndef TLBLAB_PLAN_QUESTIONS_H
#define TLBLAB_PLAN_QUESTIONS_H

#include "tlb/geometry/answers.h"
#include "tlb/plan/batch.h"
#include <stdbool.h>

/* The questions of a plan, given the answers so far: answers_ask(). */
typedef void questions(struct answers *answers, const struct batch *batch);

questions questions_of_levels; /* the levels of a TLB (laps/levels.h) */
questions questions_of_sets;   /* the same, and their organisation (geometry/organisation.h) */
questions questions_of_cache;  /* the sets of the first cache (geometry/cache_sets.h) */

/* The points of the next moments, to be freed by the caller, and their number; 0 if each question
 * is settled, or has had its maximum of moments. Without `settle` likely answers and fewer moments
 * are enough. */
size_t questions_next(const struct batch *batch, questions *asks, bool settle,
                      struct point **points);

#endif
