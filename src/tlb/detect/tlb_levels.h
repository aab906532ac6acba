/* tlb_levels.h: the boundaries of a series with several curves: loads or code, scattered or
 * contiguous page frames, huge pages. The levels of one curve depend on those of the others. */
#ifndef TLBLAB_DETECT_TLB_LEVELS_H
#define TLBLAB_DETECT_TLB_LEVELS_H

#include "access/series.h"
#include "tlb/detect/boundary.h"
#include <stdbool.h>

/* Adds the boundaries of all curves of page_curves_points(), by method control, of sorted samples.
 *
 * Kernel code: structure `itlb`; rises that were not counted in moments have no level and the note
 * `may_be_front_end`, since a front end has its own tables for jumps between many pages, and their
 * misses look like a TLB level. Layout line: no level, since there is no control. On scattered page
 * frames all caches from the second on have one row: random frames spread a rise over octaves, and
 * noise divides it. Backing contiguous: note `contiguous`; a rise with fewer pages than the same
 * level on scattered page frames, or from another plateau, belongs to a cache and is omitted.
 * Backing huge: notes `huge` and `splintered` (tlb_levels_splinter()). */
void tlb_levels_find(const struct series *series, struct boundaries *found);

/* Compares a level on contiguous page frames with the same one on scattered page frames. If it
 * holds at least 1.5 times as many pages and the ranges do not overlap, an entry holds several
 * pages: note `coalesced`. E entries of N pages give a knee at N (E - 1) + 1 to N E pages, as the
 * first and the last entry may be partly filled. If exactly one N fits both ranges, the note has
 * `pages_per_entry=N` and the entries are divided by N; otherwise they are unknown. The bytes
 * remain the reach in pages. Returns whether the level is coalesced. */
bool tlb_levels_coalesce(struct boundary *contiguous, const struct boundary *scattered);

/* The stride in bytes of the probe showing that a hypervisor backs the huge pages of a curve with
 * small ones; 0: none does. A probe is a curve of layout page with many nodes in each huge page. If
 * the curve of page minus packed rises within a single huge page, the page takes several entries.
 */
uint64_t tlb_levels_splinter(const struct series *series, const struct point *huge);

#endif
