/* layout.c: where the nodes of a chain lie in a buffer, and on what backing.
 *
 *     const struct layout *layout = layout_find("page", 4);
 *     char *node = buffer + layout->offset(&point, line_bytes, i);
 */
#include "layout.h"
#include <string.h>

/* The node's line moves on from page to page, so that the nodes spread over a cache's sets; never
 * beyond the next node where the spacing is less than a page. */
static uint64_t staggered(const struct point *point, uint64_t line_bytes, uint64_t i)
{
    uint64_t room = point->page_bytes < point->spacing ? point->page_bytes : point->spacing;
    uint64_t lines = room / line_bytes;
    return i * point->spacing + (lines > 0 ? i % lines * line_bytes : 0);
}

static uint64_t even(const struct point *point, uint64_t line_bytes, uint64_t i)
{
    (void)line_bytes;
    return i * point->spacing;
}

const struct layout layouts[] = {
    {"page", "a node per page (or more), its line staggered within the page", staggered},
    {"packed", "the same number of nodes in consecutive lines: the control", even},
    {"line", "nodes SPACING bytes apart: the classic latency curve", even},
    {"box", "the whole buffer, SPACING bytes apart, window after window", even},
    {NULL, NULL, NULL},
};

const struct backing backings[] = {
    {"scattered", "no huge pages, first touch in random page order"},
    {NULL, NULL},
};

static int same_name(const char *name, const char *text, size_t length)
{
    return strlen(name) == length && memcmp(name, text, length) == 0;
}

const struct layout *layout_find(const char *text, size_t length)
{
    for (const struct layout *layout = layouts; layout->name != NULL; layout++)
        if (same_name(layout->name, text, length))
            return layout;
    return NULL;
}

const struct backing *backing_find(const char *text, size_t length)
{
    for (const struct backing *backing = backings; backing->name != NULL; backing++)
        if (same_name(backing->name, text, length))
            return backing;
    return NULL;
}

uint64_t layout_nodes(const struct point *point)
{
    if (strcmp(point->layout->name, "box") != 0)
        return point->pages;
    return point->spacing > 0 ? point->buffer / point->spacing : 0;
}

uint64_t layout_bytes(const struct point *point)
{
    uint64_t nodes = layout_nodes(point);
    if (point->spacing > 0 && nodes > UINT64_MAX / point->spacing)
        return 0;
    return nodes * point->spacing;
}
