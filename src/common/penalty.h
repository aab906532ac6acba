/* penalty.h: what a translation miss costs, told from samples: the rows of the penalties table. */
#ifndef TLBLAB_PENALTY_H
#define TLBLAB_PENALTY_H

#include "series.h"
#include <stdbool.h>
#include <stddef.h>

#define PENALTY_NOTE_ROOM 160
/* The raw one, one for each level that knee.h finds, and the walks in depth. */
enum { WALKS_MOST = 4, PENALTIES_MOST = 13 + WALKS_MOST };

struct penalty {
    const char *method; /* "raw" or "control" */
    int level;          /* whose miss it is; 0 (written `walk`): the page tables are walked */
    int depth;          /* of penalty_walks(), from 1 (written `walk1`); else 0 */
    double ns;          /* NaN when it is not available; the note says why */
    double low, high;   /* quartiles of the paired differences that it comes from */
    char note[PENALTY_NOTE_ROOM]; /* fixed words with commas between; "" is written as `-` */
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

/* Walks through new entries at successive levels of the page table, which the paging-structure
 * caches (Intel SDM vol. 3A, 4.10.3; AMD's page walk cache) make shorter: depth k is the curve
 * whose pages lie page_bytes × (page_bytes / 8)^(k - 1) apart, a page of 4 KiB with 8 bytes to an
 * entry having 512 of them. What an access pays there at the largest sizes; depth 1 is the walk of
 * penalty_control(). `reach=N`: up to N nodes it pays less than that, but walks already. A depth
 * that was not measured is `address_space` above the deepest that was. Returns the number of rows:
 * WALKS_MOST, or 0 where the samples have fewer than two of these distances. Sorts the series. */
size_t penalty_walks(struct series *series, struct penalty *penalties);

/* Adds a word to the note. */
void penalty_note(struct penalty *penalty, const char *word);

/* Names of the columns in their order, without --by. */
extern const char penalty_columns[];

/* Writes the fields of a row in that order; `after` stands behind the last. */
void penalty_write(const struct penalty *penalty, char after);

#endif
