/* layout.h: where the nodes of a chain lie in a buffer, and on what backing. One table for each;
 * a new layout or backing is one more row there. */
#ifndef TLBLAB_ACCESS_LAYOUT_H
#define TLBLAB_ACCESS_LAYOUT_H

#include "access/point.h"
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

/* The rows of the two tables. */
enum { LAYOUT_PAGE, LAYOUT_PACKED, LAYOUT_LINE, LAYOUT_BOX, LAYOUT_SET, LAYOUT_LOCAL, LAYOUT_PAIR };
enum { BACKING_SCATTERED, BACKING_CONTIGUOUS, BACKING_HUGE, BACKINGS };

extern const struct layout layouts[];   /* ends with a NULL name; the first is the default */
extern const struct backing backings[]; /* the same */

/* The row of that name, as a table or an option gives it, or NULL. */
const struct layout *layout_find(const char *text, size_t length);
const struct backing *backing_find(const char *text, size_t length);

/* Bytes between nodes: those that are given or, for 0, a page in `page`, the whitepaper's 256 in
 * `box`, else a line. In `packed` it is a line in any case. */
uint64_t layout_spacing(const struct layout *layout, uint64_t given, uint64_t page_bytes,
                        uint64_t line_bytes);

/* Number of nodes of the point's chain: pages, but for `box` all nodes of the buffer. */
uint64_t layout_nodes(const struct point *point);

/* Number of nodes of a window, which the chain walks in random order before it goes to another:
 * those of a page in `local` and `pair`, `pages` in `box`, else all. */
uint64_t layout_window(const struct point *point);

/* In `pair`: the least and the largest distance of a node from its mate. Both lie in the two halves
 * of a block of twice their distance, at a multiple of it: so they share a line, or whatever else
 * is aligned, where that is larger than their distance, and only there. */
enum { PAIR_LEAST = 8, PAIR_MOST = 512 };

/* Why the point's nodes cannot be laid out, or NULL: those of `pair` lie PAIR_LEAST to PAIR_MOST
 * bytes apart, a power of two. A kernel that draws its nodes draws a page, then some nodes of it:
 * so it goes on layout `local`, over whole pages of 2^k nodes. */
const char *layout_refuses(const struct point *point);

/* How many times a chain visits each page: more than once in `set` where `pages` is a multiple of
 * targets + others. Each round has a random order of its own, and a pointer beside that of the
 * round before. */
uint64_t layout_rounds(const struct point *point);

/* In `set`: pages from the start of the buffer on that others may lie on, in any sample. */
uint64_t layout_others_pages(const struct point *point);

/* At most so many bytes of buffer does a point of its kind need for its windows (0: it has one, on
 * which all samples lie; so it has with `one_window`). */
uint64_t layout_windows_bytes(const struct point *point);

/* Bytes of buffer that the point needs, or 0 when that overflows 64 bits. */
uint64_t layout_bytes(const struct point *point);

#endif
