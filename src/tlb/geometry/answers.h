/* answers.h: how many targets of a family fit, and which families an answer needs.
 *
 * The analysis asks the questions that it needs, and the plan measures those without an answer, so
 * the two cannot disagree about what is to be asked. */
#ifndef TLBLAB_GEOMETRY_ANSWERS_H
#define TLBLAB_GEOMETRY_ANSWERS_H

#include "access/series.h"
#include "tlb/laps/levels.h"

struct answers {
    struct families families;
    struct counted counted;
    struct level levels[LEVELS_MAX]; /* of the first curve of neighbouring pages */
    size_t level_count;
    struct question *asked; /* in the order in which they were asked */
    size_t count;
};
/* The answers that a series shows, which must be sorted; to be freed. */
struct answers answers_of(const struct series *series);
void answers_free(struct answers *answers);

/* Adds a question to those asked. */
void answers_ask(struct answers *answers, const struct question *question);

/* The same; the number that fits; INFINITY: all that may be tried; NaN: the moments do not decide.
 */
double answers_to(struct answers *answers, const struct question *question);

/* Whether more targets fit than `number`, as one index bit more makes it: 0: no, 1: yes, -1:
 * unknown. */
int answers_grow(struct answers *answers, struct question question, double number);

/* The question about pages of one set, like this point; `flushed`: others flush the first level, so
 * the second answers. Its limits are left to set. */
struct question answers_set(const struct counted *counted, struct point like, bool flushed);

/* The ways of a family whose targets share a set; NaN: unknown, or something may have held some. */
double answers_ways(const struct fits *fits);

#endif
