/* replacement.h: the replacement policy of a set, from the share of misses when it is overloaded.
 */
#ifndef TLBLAB_GEOMETRY_REPLACEMENT_H
#define TLBLAB_GEOMETRY_REPLACEMENT_H

#include "access/series.h"
#include <stddef.h>
#include <stdint.h>

/* The points to measure of a set, in several orders: first the targets that fill it, which are its
 * ways, then numbers above at which the policies differ. They are samples of no moment, since it is
 * the mean that counts. */
enum { REPLACEMENT_POINTS = 6 }; /* [bound] */
void replacement_points(const struct point *set, struct point points[REPLACEMENT_POINTS]);

/* The policy (lru, plru, random, fifo) whose simulated shares of misses are proportional to the
 * measured times; "unknown" if none fits, several do, or a point was not measured. */
const char *replacement_of(const struct series *series, const struct point *set);

#endif
