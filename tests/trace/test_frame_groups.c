/* test_frame_groups.c: entries that hold several pages.
 *
 *     bin/.obj/plain/tests/trace/test_frame_groups
 */
#include "tap.h"
#include "trace/tlbs/frame_groups.h"

TEST(blocks_of_pages_on_blocks_of_frames_are_one_entry_each)
{
    struct frame_groups groups = {0};
    for (uint64_t page = 0; page < 1024; page++)
        frame_groups_add(&groups, page, 4096 + page);
    for (unsigned k = 0; k < FRAME_GROUPS; k++)
        CU_ASSERT_EQUAL(groups.entries[k], (uint64_t)1024 >> k);
}

TEST(pages_in_another_order_or_on_other_bounds_have_entries_of_their_own)
{
    struct frame_groups shifted = {0}, reversed = {0}, gap = {0};
    for (uint64_t page = 0; page < 64; page++) {
        frame_groups_add(&shifted, page, 4098 + page); /* aligned to two pages alone */
        frame_groups_add(&reversed, page, 4095 - page);
        if (page % 4 != 1)
            frame_groups_add(&gap, page, 4096 + page);
    }
    CU_ASSERT_EQUAL(shifted.entries[0], 64);
    CU_ASSERT_EQUAL(shifted.entries[1], 32);
    CU_ASSERT_EQUAL(shifted.entries[2], 64);
    CU_ASSERT_EQUAL(reversed.entries[1], 64);
    CU_ASSERT_EQUAL(gap.entries[0], 48);
    CU_ASSERT_EQUAL(gap.entries[2], 16); /* a page that is missing takes no entry */
}
