/* frame_groups.c: entries of a TLB that hold several pages.
 *
 *     struct frame_groups groups = {0};
 *     frame_groups_add(&groups, 4, 12);
 *     frame_groups_add(&groups, 5, 13);
 *     groups.entries[1] == 1
 */
#include "trace/tlbs/frame_groups.h"
#include <stdbool.h>

void frame_groups_add(struct frame_groups *groups, uint64_t page, uint64_t frame)
{
    for (unsigned k = 0; k < FRAME_GROUPS; k++) {
        uint64_t below = ((uint64_t)1 << k) - 1;
        bool fits = (page & below) == (frame & below);
        bool same = groups->page > 0 && (groups->page - 1) >> k == page >> k &&
                    (groups->frame - 1) >> k == frame >> k &&
                    ((groups->page - 1) & below) == ((groups->frame - 1) & below);
        groups->entries[k] += !(fits && same);
    }
    groups->page = page + 1;
    groups->frame = frame + 1;
}
