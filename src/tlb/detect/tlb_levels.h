/* tlb_levels.h: the boundaries of a series with several curves: loads or code, scattered or
 * contiguous page frames, huge pages. The levels of one curve depend on those of the others. */
#ifndef TLBLAB_DETECT_TLB_LEVELS_H
#define TLBLAB_DETECT_TLB_LEVELS_H

#include "access/series.h"
#include "tlb/detect/analysis.h"
#include "tlb/detect/boundary.h"
#include <stdbool.h>

/* Findings beside the rows. */
struct tlb_levels {
    uint64_t splinter_bytes; /* bytes of a huge page that an entry translates; 0: the whole page */
    bool compared;           /* a level was found on both scattered and contiguous page frames */
    bool coalesced;          /* an entry of such a level holds several pages */
    bool interference;       /* something else occupied entries (interference.h) */
};

/* Adds the boundaries of all curves of control_curves(), by method control.
 *
 * Kernel code: structure `itlb`, with the notes of tlb_levels_name_code(). Backing contiguous: note
 * `contiguous`; a rise with fewer pages than the same level on scattered page frames, or from
 * another plateau, is a cache's and left out. Backing huge: notes `huge` and `splintered`
 * (tlb_levels_splinter()). Any curve: note `interference` (interference.h), with a range
 * to 1.5 times the entries that show. */
struct tlb_levels tlb_levels_boundaries(struct analysis *analysis, struct boundaries *found);

/* Turns rows of data TLB levels into rows of the instruction TLB. The front end of a processor has
 * tables of its own for jumps between many pages, whose misses look like a TLB level. The last rise
 * is that of the page walk when it is larger than all before it together, not gradual and not at
 * the end of the sweep. It is then level 2, and other rises behind the first have no level. Rises
 * that may be such a table's have the note `may_be_front_end`. Above the first level the confidence
 * is at most medium. With three rises or more each may be such a table's, the first too: all are
 * low. A level behind the first where something else held entries has a range from the one before
 * it, and no number. */
void tlb_levels_name_code(struct boundary *rows, size_t count);

/* Compares a level on contiguous page frames with the same one on scattered page frames. When it
 * holds 1.5 times as many pages or more and the ranges are apart, an entry holds several pages:
 * note `coalesced`. N pages in each of E entries make a knee at N (E - 1) + 1 to N E pages, as the
 * first and the last entry may be partly filled. If exactly one N fits both ranges, the note has
 * `pages_per_entry=N` and the entries are divided by N; otherwise they are unknown. The bytes
 * remain the reach in pages. Returns whether the level is coalesced. */
bool tlb_levels_coalesce(struct boundary *contiguous, const struct boundary *scattered);

/* The stride in bytes of the probe that shows that a hypervisor backs the huge pages of a curve
 * with small ones; 0: none does. A probe is a curve of layout page with many nodes in each huge
 * page. When the nodes of a single huge page miss in the TLB (page minus packed), the page takes
 * several entries. */
uint64_t tlb_levels_splinter(const struct series *series, const struct point *huge);

#endif
