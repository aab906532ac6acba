/* frame_groups.h: how many entries of a TLB the pages of a process need, if an entry holds several.
 *
 * An entry of 2^k pages holds those of an aligned block of addresses that lie, in the same order,
 * in an aligned block of frames, as those of AMD since Zen and of Arm do (the contiguous bit, too).
 */
#ifndef TLBLAB_TLBS_FRAME_GROUPS_H
#define TLBLAB_TLBS_FRAME_GROUPS_H

#include <stdint.h>

/* Entries of 1 to 512 pages: 512 of 4 KiB are a huge page. [bound] */
enum { FRAME_GROUPS = 10 };

/* Initialised by {0}. */
struct frame_groups {
    uint64_t entries[FRAME_GROUPS]; /* of 2^k pages */
    uint64_t page, frame;           /* private: the last ones, + 1 */
};

/* The next page, by ascending number, and its frame. */
void frame_groups_add(struct frame_groups *groups, uint64_t page, uint64_t frame);

#endif
