/* layout.h: where the nodes of a chain lie in a buffer, and on what backing. One table for each.
 *
 * To add a layout, write its offset() and chain() in layout.c (and window(), bytes() and refuse()
 * where it needs them), add its LAYOUT_… at the end of the list below (the number is part of a
 * sample's seed) and its row to layouts[]. The fields of the row are all that the other modules
 * ask; none names a layout but to make points of it. A backing is a row of backings[];
 * measure/arena.c maps, touches and verifies its pages. */
#ifndef TLBLAB_ACCESS_LAYOUT_H
#define TLBLAB_ACCESS_LAYOUT_H

#include "access/point.h"
#include "base/random.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Room for the reason of a refusal. */
enum { REFUSAL_ROOM = 160 };

struct layout {
    const char *name;
    const char *help;
    /* Byte offset of node i in the buffer. */
    uint64_t (*offset)(const struct point *point, uint64_t line_bytes, uint64_t i);
    /* Draws the chain: one cycle over all layout_nodes() of the point, next[i] after node i. */
    void (*chain)(uint32_t *next, const struct point *point, struct random *random);
    uint64_t (*window)(const struct point *point); /* layout_window(); NULL: all nodes */
    uint64_t (*bytes)(const struct point *point);  /* layout_bytes(); NULL: nodes × spacing */
    /* Writes why the point is impossible, if it is; NULL: no reason beside those of every point. */
    void (*refuse)(const struct point *point, char why[REFUSAL_ROOM]);
    uint64_t spacing; /* bytes between nodes where nobody says; 0: a line, or `per_page` a page */
    unsigned caches;  /* how well it shows the caches: 1 best, with the fewest TLB misses; 0: not */
    bool shows_tlb;   /* the nodes lie on so many pages that TLB misses count */
    bool per_page;    /* a node per page or more: less the control, it is translation alone */
    bool control;     /* the same number of nodes in consecutive lines, whatever the spacing */
    bool even;        /* nodes lie in order, spacing bytes apart, and one cycle goes over them */
    bool windows;     /* pages × spacing is a window of memory, which method segment reads */
    bool whole_buffer; /* window after window of a buffer, buffer_bytes large */
    bool page_by_page; /* all nodes of a page are visited before another page */
    bool pairs;        /* two nodes together, in a room of their own that no spacing changes */
    bool targets;      /* has targets and others, which lie on other pages in each sample */
};

struct backing {
    const char *name;
    const char *help;
    bool scattered;  /* neighbouring pages lie on frames that are not neighbours */
    bool contiguous; /* they lie on neighbouring frames, so that a TLB entry may hold several */
    bool huge;       /* pages are larger than base pages, as page_bytes says */
};

/* The rows of the two tables. */
enum { LAYOUT_PAGE, LAYOUT_PACKED, LAYOUT_LINE, LAYOUT_BOX, LAYOUT_SET, LAYOUT_LOCAL, LAYOUT_PAIR };
enum { BACKING_SCATTERED, BACKING_CONTIGUOUS, BACKING_HUGE, BACKINGS };

extern const struct layout layouts[];   /* ends with a NULL name; the first is the default */
extern const struct backing backings[]; /* the same */

/* The row of that name, as a table or an option gives it, or NULL. */
const struct layout *layout_find(const char *text, size_t length);
const struct backing *backing_find(const char *text, size_t length);

/* Bytes between nodes: those that are given or, for 0, what the layout's row says. The control has
 * a line in any case, and targets have no default: theirs is 0. */
uint64_t layout_spacing(const struct layout *layout, uint64_t given, uint64_t page_bytes,
                        uint64_t line_bytes);

/* Number of nodes of the point's chain: pages, but for `whole_buffer` all nodes of the buffer. */
uint64_t layout_nodes(const struct point *point);

/* Number of nodes of a window, which the chain walks in random order before it goes to another:
 * those of a page in `local` and `pair`, `pages` in `box`, else all. */
uint64_t layout_window(const struct point *point);

/* In `pair`: the least and the largest distance of a node from its mate, a power of two. Both lie
 * in the two halves of a block of twice their distance, at a multiple of it: so they share a line,
 * or whatever else is aligned, where that is larger than their distance, and only there. */
enum { PAIR_LEAST = 8, PAIR_MOST = 512 };

/* How many times a chain visits each page: more than once in `set` where `pages` is a multiple of
 * targets + others. Each round has a random order of its own, and a pointer beside that of the
 * round before. */
uint64_t layout_rounds(const struct point *point);

/* Why the targets and others do not make up `pages`, which are whole rounds over them; or NULL. */
const char *layout_refuses_targets(const struct point *point);

/* In `set`: pages from the start of the buffer on that others may lie on, in any sample. */
uint64_t layout_others_pages(const struct point *point);

/* At most so many bytes of buffer does a point of its kind need for its windows (0: it has one, on
 * which all samples lie; so it has with `one_window`). */
uint64_t layout_windows_bytes(const struct point *point);

/* Bytes of buffer that the point needs, or 0 when that overflows 64 bits. */
uint64_t layout_bytes(const struct point *point);

#endif
