/* layout.h: where the nodes of a chain lie in a buffer, and on what backing. One table for each;
 * a new layout or backing is one more row there. */
#ifndef TLBLAB_LAYOUT_H
#define TLBLAB_LAYOUT_H

#include "point.h"
#include <stddef.h>
#include <stdint.h>

struct layout {
    const char *name;
    const char *help;
    /* Byte offset of node i in the buffer. */
    uint64_t (*offset)(const struct point *point, uint64_t line_bytes, uint64_t i);
};

struct backing {
    const char *name;
    const char *help;
};

extern const struct layout layouts[];   /* ends with a NULL name */
extern const struct backing backings[]; /* the same; the first is the default */
const struct layout *layout_find(const char *text, size_t length);
const struct backing *backing_find(const char *text, size_t length);

/* Number of nodes of the point's chain: pages, but for `box` all nodes of the buffer. */
uint64_t layout_nodes(const struct point *point);

/* Number of nodes of a window, which the chain walks in random order before it goes to another:
 * those of a page in `local`, `pages` in `box`, else all. */
uint64_t layout_window(const struct point *point);

/* Why a kernel that draws its nodes cannot do so here, or NULL: it draws a page, then some nodes of
 * it, so it goes on layout `local`, over whole pages of 2^k nodes. NULL for the other kernels. */
const char *layout_refuses(const struct point *point);

/* How many times a chain visits each page: more than once in `set` where `pages` is a multiple of
 * targets + others. Each round has a random order of its own, and a pointer beside that of the
 * round before. */
uint64_t layout_rounds(const struct point *point);

/* In `set`: pages from the start of the buffer on that others may lie on, in any sample. */
uint64_t layout_others_pages(const struct point *point);

/* Bytes of buffer that the point needs, or 0 when that overflows 64 bits. */
uint64_t layout_bytes(const struct point *point);

#endif
