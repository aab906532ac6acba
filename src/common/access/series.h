/* series.h: samples grouped by point: every time measured at one (layout, spacing, pages, …). */
#ifndef TLBLAB_ACCESS_SERIES_H
#define TLBLAB_ACCESS_SERIES_H

#include "access/point.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* All samples of one point. Role and sample number are not part of what makes a point. */
struct group {
    struct point point;
    size_t count, room;
    double *ns;       /* in order of arrival until series_sort() */
    uint32_t *sample; /* the number of each, for pairing `page` with `packed` */
    bool *disturbed;  /* whether a fault, a switch or a migration fell into it */
};

struct series {
    struct group *groups; /* in order of first appearance until series_sort() */
    size_t count, room;
    size_t *index; /* hash table over groups, private */
    size_t index_room, last;
};

void series_init(struct series *series);
void series_free(struct series *series);
void series_add(struct series *series, const struct sample *sample);

/* Sorts the groups by layout, spacing, page, kernel, backing and what else makes a curve, so that
 * those of one curve (point_same_curve()) stand together, then by pages; and each one's samples by
 * number: what is told from a series does not depend on the order of its rows. */
void series_sort(struct series *series);

/* Number of samples, and of those that were disturbed; a series of all others (to be freed). */
size_t series_samples(const struct series *series, size_t *disturbed);
struct series series_undisturbed(const struct series *series);

/* The group of a point, or NULL. */
struct group *series_find(const struct series *series, const struct point *point);

/* Whether two points lie on one curve: all but pages, sample and role is the same, and neither is a
 * comparison point. */
bool point_same_curve(const struct point *a, const struct point *b);

/* The layout of the group, whose row tells what it shows: of a comparison point nothing. */
const struct layout *group_layout(const struct group *group);

/* Quantile q of the group's times (see stats_quantile); leaves the order of arrival alone. */
double group_quantile(const struct group *group, double q);

#endif
