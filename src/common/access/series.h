/* series.h: samples grouped by point. */
#ifndef TLBLAB_ACCESS_SERIES_H
#define TLBLAB_ACCESS_SERIES_H

#include "access/point.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct taken {
    uint32_t sample;      /* its number, for pairing `page` with `packed` */
    bool disturbed;       /* a page fault, a context switch or a migration happened in it */
    struct table_row row; /* where it was read */
};

/* All samples of one point. The sample number does not distinguish points, and of the roles only
 * ROLE_COMPARISON does. */
struct group {
    struct point point;
    size_t count;
    double *ns;      /* in order of arrival until series_sort() */
    double *fastest; /* of its runs; ns where these were not timed */
    struct taken *taken;
};

struct series {
    struct group *groups; /* in order of first appearance until series_sort() */
    size_t count;
    size_t *index;           /* private: hash table over groups */
    size_t index_room, last; /* private; last: group of the last sample */
    struct sample *moments; /* the samples of moments, which are in no group, in order of arrival */
    size_t moment_count;
};

void series_init(struct series *series);
void series_free(struct series *series);
void series_add(struct series *series, const struct sample *sample);

/* Sorts the groups by curve (point_same_curve()), then by pages, and the samples of each group by
 * number. Results from a sorted series do not depend on the order of the rows. */
void series_sort(struct series *series);

/* Whether a run ended before its curve: it measured moments, but nothing that is in a group. Then
 * warns where it ends, and counts the input as partial. */
bool series_warn_of_cut(const struct series *series, struct table *table);

/* Removes a sample, and its group if it was the only one. */
void series_remove(struct series *series, size_t group, size_t sample);

/* Number of samples, and in *disturbed the number of disturbed ones. */
size_t series_samples(const struct series *series, size_t *disturbed);

/* A new series of the undisturbed samples and all moments, of which the fastest runs count; the
 * caller frees it. */
struct series series_undisturbed(const struct series *series);

/* The group of a point, or NULL. */
struct group *series_find(const struct series *series, const struct point *point);

/* Whether two points are on the same curve: they differ at most in pages, sample and role, and
 * neither is a comparison point. */
bool point_same_curve(const struct point *a, const struct point *b);

/* The layout of the group, or for comparison points a layout that shows nothing. */
const struct layout *group_layout(const struct group *group);

/* The first point of a layout with the flag at this offset in struct layout; NULL: there is none.
 */
const struct point *series_with(const struct series *series, size_t flag);

/* The samples of two groups with the same number (ascending in both), or, if they share no number,
 * those in the same place. Returns the number of pairs, which are in *pairs (the caller frees it).
 */
struct sample_pair {
    size_t a, b;
};
size_t group_pairs(const struct group *a, const struct group *b, struct sample_pair **pairs);

/* Quantile q of the group's times, and of their fastest runs (stats_quantile()). */
double group_quantile(const struct group *group, double q);
double group_fastest(const struct group *group, double q);

#endif
