/* ways.h: how many pages of one set a level of the TLB holds. */
#ifndef TLBLAB_WAYS_H
#define TLBLAB_WAYS_H

#include "profile.h"
#include <stdbool.h>

/* The largest number of pages of one set that a level (0 or 1) holds all of; NaN when the curve of
 * the targets does not show it. *sharp: the next one makes most of them miss. */
double ways_of(const struct profile *profile, size_t level, bool *sharp);

#endif
