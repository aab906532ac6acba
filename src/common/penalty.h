/* penalty.h: what a translation miss costs, told from samples: the rows of the penalties table. */
#ifndef TLBLAB_PENALTY_H
#define TLBLAB_PENALTY_H

#include "series.h"
#include <stdbool.h>
#include <stddef.h>

#define PENALTY_NOTE_ROOM 160
enum { PENALTIES_MOST = 13 }; /* the raw one, and one for each level that knee.h finds */

struct penalty {
    const char *method; /* "raw" or "control" */
    int level;          /* whose miss it is; 0 (written `walk`): the page tables are walked */
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

/* Adds a word to the note. */
void penalty_note(struct penalty *penalty, const char *word);

/* Names of the columns in their order, without --by. */
extern const char penalty_columns[];

/* Writes the fields of a row in that order; `after` stands behind the last. */
void penalty_write(const struct penalty *penalty, char after);

#endif
