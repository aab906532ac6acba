/* layout.h: the tables of layouts (where the nodes of a chain are in a buffer) and of backings
 * (which physical pages are under them).
 *
 * To add a layout, write its offset() and chain() in layout.c (and window(), bytes() and refuse()
 * if it needs them), add its LAYOUT_… at the end of the enum below (the number is part of a
 * sample's seed) and its row to layouts[], and describe it in tlb/chase.1. Other modules read the
 * fields of the row; they name a layout only to create points with it. A backing is a row of
 * backings[]; measure/arena.c maps, touches and verifies its pages. */
#ifndef TLBLAB_ACCESS_LAYOUT_H
#define TLBLAB_ACCESS_LAYOUT_H

#include "access/point.h"
#include "base/random.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Room for the reason of a refusal. */
enum { REFUSAL_ROOM = 160 };

/* The places touched before a probe. */
enum touches { TOUCHES_ASCEND, TOUCHES_DESCEND, TOUCHES_CROSS /* to the next page */ };

struct layout {
    const char *name;
    const char *help;
    /* Byte offset of node i in the buffer. */
    uint64_t (*offset)(const struct point *point, uint64_t line_bytes, uint64_t i);
    /* Draws one cycle over all layout_nodes() of the point: next[i] follows node i. */
    void (*chain)(uint32_t *next, const struct point *point, struct random *random);
    uint64_t (*window)(const struct point *point); /* layout_window(); NULL: all nodes */
    uint64_t (*bytes)(const struct point *point);  /* layout_bytes(); NULL: nodes × spacing */
    /* Writes why the layout cannot have the point, if so; NULL: it can have any. */
    void (*refuse)(const struct point *point, char why[REFUSAL_ROOM]);
    uint64_t spacing;     /* default bytes between nodes; 0: a page when `per_page`, else a line */
    unsigned caches_rank; /* rank for showing caches: 1 has the fewest TLB misses; 0: unsuitable */
    bool per_page; /* at most one node per page: minus the control it is the time of translation */
    bool control;  /* consecutive lines, whatever the spacing */
    bool windows;  /* pages × spacing is the working set, which method segment reads */
    bool whole_buffer; /* one chain over buffer_bytes, window after window */
    bool targets;      /* has targets and others, on different pages in each sample */
    bool page_by_page; /* visits a page's nodes while the TLB holds it: one miss per page */
    bool pairs;        /* two nodes together, in a block of a size that spacing does not change */
    bool probes;       /* has touches, decoys and a probe (probe.h) */
    enum touches touches; /* of these */
};

struct backing {
    const char *name;
    const char *help;
    bool scattered;  /* adjacent pages are on page frames that are not adjacent */
    bool contiguous; /* adjacent pages are on adjacent frames: a TLB may coalesce them */
    bool huge;       /* pages of page_bytes, above the base page */
    bool device;     /* memory of a card; page_bytes is assumed, since drivers do not report it */
};

/* Row numbers of the two tables. */
enum {
    LAYOUT_PAGE,
    LAYOUT_PACKED,
    LAYOUT_LINE,
    LAYOUT_BOX,
    LAYOUT_SET,
    LAYOUT_LOCAL,
    LAYOUT_PAIR,
    LAYOUT_ASCENDING,
    LAYOUT_DESCENDING,
    LAYOUT_CROSSING
};
enum { BACKING_SCATTERED, BACKING_CONTIGUOUS, BACKING_HUGE, BACKING_DEVICE, BACKINGS };

extern const struct layout layouts[];   /* ends with a NULL name; the first is the default */
extern const struct backing backings[]; /* the same */

/* Derived from the rest of a row: the nodes are in order of address, spacing bytes apart, in
 * one random cycle; they are on so many pages that TLB misses count. */
bool layout_is_even(const struct layout *layout);
bool layout_shows_tlb(const struct layout *layout);

/* The layout of that name, or NULL. */
const struct layout *layout_find(const char *text, size_t length);

/* Bytes between nodes: `given`, or the layout's default when that is 0. The control always uses
 * the line size; a layout with targets has no default (0). */
uint64_t layout_spacing(const struct layout *layout, uint64_t given, uint64_t page_bytes,
                        uint64_t line_bytes);

/* Number of nodes of the point's chain: `pages`, but all nodes of the buffer for `whole_buffer`. */
uint64_t layout_nodes(const struct point *point);

/* Number of nodes of a window. The chain visits all of them in random order before the next
 * window: the nodes of a page in `local` (which mixes the windows of a few pages) and `pair`,
 * `pages` in `box`, else all nodes. */
uint64_t layout_window(const struct point *point);

/* In `pair`: the minimum and maximum distance between two nodes, a power of two. The nodes are in
 * the two halves of an aligned block of twice their distance, so they share a line (or any other
 * aligned block) exactly when that is larger than their distance. */
enum { PAIR_MIN = 8, PAIR_MAX = 512 };

/* How many times a chain visits each page: in `set` pages / (targets + others), else once. Each
 * round has its own random order, and its own pointer in a node's line. */
uint64_t layout_rounds(const struct point *point);

/* Why `pages` is not a whole number of rounds over targets and others; NULL if it is. */
const char *layout_refuses_targets(const struct point *point);

/* Samples of `set` use so many TLB sets, by their number: other work on the core holds entries in
 * some sets, and only the sets without it show the number of ways. [prior] */
enum { SETS_TRIED = 64 };

/* In `set`: the pages at the start of the buffer that hold the others of every sample. */
uint64_t layout_others_pages(const struct point *point);

/* Upper bound of the buffer's bytes when samples take turns at several places in it; 0: all
 * samples are at one place, as with `one_place`. */
uint64_t layout_places_bytes(const struct point *point);

/* The page of the buffer where this sample's place begins. If two chains begin at the same page,
 * the longer one has all pages of the shorter one. */
uint64_t layout_place(const struct point *point);

/* Bytes of buffer that the point needs, or 0 when that overflows 64 bits. */
uint64_t layout_bytes(const struct point *point);

#endif
