/* tlb_levels.h: the boundaries of one series that holds curves of several kinds: loads or code,
 * page frames scattered or side by side, huge pages. What a curve tells depends on the others. */
#ifndef TLBLAB_DETECT_TLB_LEVELS_H
#define TLBLAB_DETECT_TLB_LEVELS_H

#include "access/series.h"
#include "detect/boundary.h"
#include "detect/control.h"
#include <stdbool.h>

/* What was learnt beside the rows. */
struct tlb_levels {
    uint64_t splinter_bytes; /* what an entry translates of a huge page; 0: all of it */
    bool compared;           /* a level was found on scattered and on contiguous page frames */
    bool coalesced;          /* and there an entry holds several pages */
    bool interference;       /* two states within the run, or a long rise (unsure_of_sibling) */
};

/* Adds the boundaries of all curves that control_curves() names, method control:
 *
 * kernel code: structure `itlb`, told from rises (soft_knee.h); the notes of
 * tlb_levels_name_code(). backing contiguous: note `contiguous`; a level that is coalesced is told
 * from rises too; what takes fewer pages than the same level on scattered frames, or rises from
 * another plateau, is a cache's and left out. backing huge: note `huge`; and `splintered`, see
 * tlb_levels_splinter(). any: note `interference` where the level had two states (interference.h),
 * or, with `unsure_of_sibling`, a long rise of a level above the first.
 *
 * The series is sorted. */
struct tlb_levels tlb_levels_boundaries(const struct series *series, bool unsure_of_sibling,
                                        struct boundaries *found);

/* Makes rows of data TLB levels into those of the instruction TLB. A front end of a processor has
 * tables of its own for jumps between many pages, and what they cost looks like a TLB level. The
 * last rise is that of the page walk when it is larger than all before it together and not gradual;
 * it is level 2 then, and rises between it and the first have no level. What may be such a table's
 * has the note `may_be_front_end`, and no level above the first has more than medium confidence. */
void tlb_levels_name_code(struct boundary *rows, size_t count);

/* Compares a level on contiguous frames with the same one on scattered frames. Where it takes 1.5
 * times as many pages or more, and their ranges don't meet, an entry holds several: note
 * `coalesced`. N pages in each of E entries make a knee from N (E - 1) + 1 to N E pages, as the
 * first and the last entry may be filled in part. Where that holds of one N alone, the note has
 * `pages_per_entry=N`, and the entries are those pages over N; where it does not, they are not
 * known. The bytes are those of the pages in any case: the reach. Returns whether it is coalesced.
 */
bool tlb_levels_coalesce(struct boundary *contiguous, const struct boundary *scattered);

/* Whether a hypervisor backs the huge pages of a curve with small ones: the bytes from node to node
 * of the probe that shows it, or 0. The probe is a curve of layout page with many nodes in a huge
 * page: where those of one alone miss in the TLB, page minus packed, it takes more than an entry.
 */
uint64_t tlb_levels_splinter(const struct series *series, const struct point *huge);

#endif
