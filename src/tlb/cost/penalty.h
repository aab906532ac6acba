/* penalty.h: the cost of a translation miss: the rows of the penalties table. */
#ifndef TLBLAB_COST_PENALTY_H
#define TLBLAB_COST_PENALTY_H

#include "access/series.h"
#include "table/row.h"
#include "tlb/curve/curve.h"
#include <stddef.h>

struct penalty {
    const char *method; /* "raw" or "control" */
    int level;          /* the TLB level missed; 0 (written `walk`): a page walk; -k (written
                           `walkK`): a walk of depth k (walks.c) */
    double ns;          /* NaN if not available; the note gives the reason */
    double low,
        high; /* quartiles: of paired samples (raw), of the sizes on the plateau (control) */
    struct note note; /* its text is the range that was compared */
    struct row_label label;
};

/* The whitepaper's figure (§7.2): P50 at the 512 MiB comparison point minus P50 at the first point
 * of the same sweep; it may be negative. Its note names both windows. Sorts the series. */
struct penalty penalty_raw(struct series *series);

/* The two points of that comparison in a sorted series, or NULL: that of 512 MiB, and the first of
 * the curve of a point. */
const struct group *penalty_comparison(const struct series *series);
const struct group *penalty_first(const struct series *series, const struct point *on_curve);

/* The cost at points `first` to `last` of a curve: median and quartiles over the sizes. */
struct penalty penalty_on_plateau(const struct curve *curve, size_t first, size_t last);

/* A row without a figure; its note is the reason. */
struct penalty penalty_unavailable(const char *method, enum note_word reason);

/* The columns; --by adds one. */
extern const struct column penalty_columns[];

/* Paging-structure caches (Intel SDM vol. 3A, 4.10.3; AMD's page walk cache) shorten a walk unless
 * it reads new entries at upper levels too. Depth k is the curve whose pages lie page_bytes ×
 * (page_bytes / 8)^(k - 1) apart: a table is a page of 8-byte entries, 512 for 4 KiB. A row gives
 * the cost at the largest sizes of its curve; depth 1 is `ordinary`, the walk of the curve of
 * `page`, without which the others have its reason. Note `reach=N`: up to N nodes walks are
 * cheaper; `not_reached`: the ordinary walk seems to cost more than this one. A depth above the
 * deepest that was measured has the note `address_space`. Returns the number of rows: WALKS_MAX, or
 * 0 if the samples have fewer than two of these distances. */
enum { WALKS_MAX = 4 }; /* [bound] */
size_t walks_find(const struct series *series, const struct point *page,
                  const struct penalty *ordinary, struct penalty *penalties);

/* All rows of walkpenalty: raw; by control each level and the walk, which is always there; by
 * depth. Note `nested` on measured walks of a virtual machine. Sorts the series. Returns their
 * number. */
enum { PENALTIES_ROOM = 5 + WALKS_MAX }; /* [bound] */
size_t penalties_find(struct series *series, bool guest, struct penalty penalties[PENALTIES_ROOM]);

#endif
