/* penalty.h: what a translation miss costs, told from samples: the rows of the penalties table. */
#ifndef TLBLAB_COST_PENALTY_H
#define TLBLAB_COST_PENALTY_H

#include "access/series.h"
#include "detect/control.h"
#include "table/row.h"
#include <stdbool.h>
#include <stddef.h>

enum { PENALTIES_MOST = 13 }; /* the raw one, and one for each level that knee.h finds [bound] */

struct penalty {
    const char *method; /* "raw" or "control" */
    int level;          /* whose miss it is; 0 (written `walk`): the page tables are walked; -1
                           and less (written `walk1`): so deep a walk of walks_find() */
    double ns;          /* NaN when it is not available; the note says why */
    double low, high;   /* quartiles of the paired differences that it comes from */
    struct note note;   /* its text is the range that was compared */
    struct row_label label;
};

/* The whitepaper's figure (§7.2): P50 at the 512 MiB comparison point minus P50 at the first point
 * of the sweep that it belongs to; as it comes, also negative. Its note names both windows. Sorts
 * the series. */
struct penalty penalty_raw(struct series *series);

/* The two points that it compares, or NULL: that of 512 MiB, and the first of its sweep. */
const struct group *penalty_comparison(const struct series *series);
const struct group *penalty_first(const struct series *series, const struct point *comparison);

/* The controlled figure: `page` minus `packed` on the plateau behind each TLB level, in ascending
 * order; the last is the walk. Returns the number of rows, one when there is nothing to tell.
 * Sorts the series. */
size_t penalty_control(struct series *series, struct penalty *penalties);

/* What they are made of. A curve of layout `page` beside its `packed`, and up to how many nodes
 * that one stays within the first level of the TLB (which `control`, of the curve with the least
 * spacing, knows). */
struct penalty_curve {
    const struct series *series;
    const struct point *page, *packed;
    double packed_reach;
};
struct penalty_curve penalty_beside(const struct series *series, const struct point *page,
                                    const struct control *control);

/* What an access pays at the points `first` to `last`; where `packed` misses the first level too
 * the difference is too small, so those points are left out unless there are no others. */
struct penalty penalty_on_plateau(const struct penalty_curve *c, const struct curve *curve,
                                  size_t first, size_t last, bool reaches_end);

/* The same behind the k-th knee: the upper plateau lasts to the next one, or to the end of the
 * sweep. */
struct penalty penalty_behind(const struct control *control, size_t k,
                              const struct penalty_curve *c);

/* A row without a figure; its note is the reason. */
struct penalty penalty_unavailable(const char *method, enum note_word reason);

/* The columns; --by adds one. */
extern const struct column penalty_columns[];

#endif
