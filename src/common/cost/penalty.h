/* penalty.h: the cost of a translation miss: the rows of the penalties table. */
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
    int level;          /* the TLB level missed; 0 (written `walk`): a page walk; -k (written
                           `walkK`): a walk of depth k (walks_find()) */
    double ns;          /* NaN when not available; the note says why */
    double low, high;   /* quartiles of the paired differences */
    struct note note;   /* its text is the range that was compared */
    struct row_label label;
};

/* The whitepaper's figure (§7.2): P50 at the 512 MiB comparison point minus P50 at the first point
 * of the same sweep; it may be negative. Its note names both windows. Sorts the series. */
struct penalty penalty_raw(struct series *series);

/* The two points of that comparison, or NULL. */
const struct group *penalty_comparison(const struct series *series);
const struct group *penalty_first(const struct series *series, const struct point *comparison);

/* The controlled figures: `page` minus `packed` on the plateau behind each TLB level, in ascending
 * order; the last is the page walk. Returns the number of rows, one without a figure when there is
 * no level. Sorts the series. */
size_t penalty_control(struct series *series, struct penalty *penalties);

/* A curve of layout `page` with its control. `control` is that of the curve with the least spacing
 * and gives the size of the first TLB level. */
struct penalty_curve {
    const struct series *series;
    const struct point *page, *packed;
    double packed_reach; /* nodes up to which `packed` stays within the first TLB level */
};
struct penalty_curve penalty_beside(const struct series *series, const struct point *page,
                                    const struct control *control);

/* The cost at points `first` to `last` of a curve. Where `packed` misses the first level too the
 * difference is too small: such points are left out unless there are no others. */
struct penalty penalty_on_plateau(const struct penalty_curve *c, const struct curve *curve,
                                  size_t first, size_t last, bool reaches_end);

/* The same on the plateau behind the k-th knee, up to the next knee or the end of the sweep. */
struct penalty penalty_behind(const struct control *control, size_t k,
                              const struct penalty_curve *c);

/* A row without a figure; its note is the reason. */
struct penalty penalty_unavailable(const char *method, enum note_word reason);

/* The columns; --by adds one. */
extern const struct column penalty_columns[];

#endif
