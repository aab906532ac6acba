/* numbers.h: how many targets of a family fit, and which families an answer needs.
 *
 * The analysis asks for the numbers that it needs, and the plan measures those that are unknown, so
 * the two cannot disagree about what is to be asked. */
#ifndef TLBLAB_GEOMETRY_NUMBERS_H
#define TLBLAB_GEOMETRY_NUMBERS_H

#include "access/series.h"
#include "tlb/laps/levels.h"

struct numbers {
    struct families families;
    struct laps laps;
    struct level levels[LEVELS_MAX]; /* of the first curve of neighbouring pages */
    size_t level_count;
    struct question *asked; /* in the order in which they were asked */
    size_t count, room;
    bool held; /* something may have held entries in any answer since the caller set it to false */
};
/* The series is sorted. */
struct numbers numbers_of(const struct series *series);
void numbers_free(struct numbers *numbers);

/* The number that fits; INFINITY: all that may be tried; NaN: the moments do not decide. */
double numbers_fit(struct numbers *numbers, const struct question *question);

/* The ways of a family whose targets share a set; NaN: unknown, or something may have held some. */
double numbers_ways(const struct fits *fits);

#endif
