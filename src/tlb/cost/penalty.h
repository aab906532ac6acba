/* penalty.h: the cost of a translation miss: the rows of the penalties table. */
#ifndef TLBLAB_COST_PENALTY_H
#define TLBLAB_COST_PENALTY_H

#include "access/series.h"
#include "table/row.h"
#include "tlb/curve/curve.h"
#include <stddef.h>

struct page_curves; /* tlb/detect/page_curves.h */

enum { PENALTIES_MAX = 5 }; /* raw, each level, and the walk [bound] */

struct penalty {
    const char *method; /* "raw" or "control" */
    int level;          /* the TLB level missed; 0 (written `walk`): a page walk; -k (written
                           `walkK`): a walk of depth k (walks_find()) */
    double ns;          /* NaN if not available; the note gives the reason */
    double low,
        high; /* quartiles: of paired samples (raw), of the sizes on the plateau (control) */
    struct note note; /* its text is the range that was compared */
    struct row_label label;
};

/* The whitepaper's figure (§7.2): P50 at the 512 MiB comparison point minus P50 at the first point
 * of the same sweep; it may be negative. Its note names both windows. Sorts the series. */
struct penalty penalty_raw(struct series *series);

/* The two points of that comparison, or NULL. */
const struct group *penalty_comparison(const struct series *series);
const struct group *penalty_first(const struct series *series, const struct point *comparison);

/* The controlled figures, in ascending order, then the page walk. A miss of the first level costs
 * what it does in moments of so many pages that all miss, if there is a second level; without
 * moments, and after other levels, it is `page` minus `packed` on the plateau after the level. The
 * walk is the plateau after the last level, and has a figure only if the curve goes so far that no
 * further level can serve these misses: to 8192 nodes, and to 1.5 times the start of the plateau.
 * If it does not, the walk is `not_reached`, and the last level has the note `hit_in_level` unless
 * its rise reaches the end. Returns the number of rows. */
size_t penalty_control(const struct page_curves *curves, struct penalty *penalties);

/* The cost at points `first` to `last` of a curve: median and quartiles over the sizes. */
struct penalty penalty_on_plateau(const struct curve *curve, size_t first, size_t last);

/* The row of the page walk. */
struct penalty penalty_walk(const struct page_curves *curves);

/* A row without a figure; its note is the reason. */
struct penalty penalty_unavailable(const char *method, enum note_word reason);

/* The columns; --by adds one. */
extern const struct column penalty_columns[];

enum { WALKS_MAX = 4 }; /* of a depth [bound] */

/* All rows of walkpenalty: raw, controlled, by depth. Note `nested` on measured walks of a virtual
 * machine. Sorts the series. Returns their number. */
enum { PENALTIES_ROOM = PENALTIES_MAX + WALKS_MAX }; /* [bound] */
size_t penalties_find(struct series *series, bool guest, struct penalty penalties[PENALTIES_ROOM]);

#endif
