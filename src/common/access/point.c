/* point.c: points, their lists, and the names of their roles and chain modes. point_read.c reads
 * their tables, point_write.c writes them. */
#include "access/point.h"
#include "base/error.h"
#include <string.h>

const char *const role_names[] = {"sweep",   "refine", "comparison", "few",
                                  "control", "asked",  "all",        NULL};
static const char *const chain_names[] = {"random-box", "same-random-in-box", "diff-random-in-box"};

const char *chain_mode_name(enum chain_mode mode)
{
    return chain_names[mode];
}

int chain_mode_find(const char *text, size_t length)
{
    for (int i = 0; i < 3; i++)
        if (strlen(chain_names[i]) == length && memcmp(chain_names[i], text, length) == 0)
            return i;
    return -1;
}

double point_span(const struct point *point)
{
    return (double)point->pages * (double)point->spacing;
}

void points_append(struct points *points, const struct point *point)
{
    if (points->count == points->room) {
        points->room = points->room > 0 ? 2 * points->room : 256;
        points->at = reallocate(points->at, points->room, sizeof *points->at);
    }
    points->at[points->count++] = *point;
}
