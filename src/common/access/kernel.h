/* kernel.h: the table of kernels. A kernel is a hot loop that is timed: here one that accesses the
 * nodes of a chain, in memory/streams one that moves data (struct stream_kernel), in memory/card
 * one of OpenCL (enum card_kernel). It never means the operating system's.
 *
 * To add one, write its loop in kernel.c and its row in kernels[]. */
#ifndef TLBLAB_ACCESS_KERNEL_H
#define TLBLAB_ACCESS_KERNEL_H

#include <stdbool.h>
#include <stdint.h>

/* The maximum number of independent chains of one thread: about the number of cache misses that a
 * core has outstanding (line fill buffers: 10 to 16). [prior] */
enum { KERNEL_CHAINS = 16 };

/* Loads that a drawing kernel makes in a page before it draws another page. */
enum { KERNEL_DRAWS = 8 };

/* Size and alignment of a node of kernel `code`, which keep it within a cache line. */
enum { CODE_NODE_BYTES = 32 };

/* The input of a kernel: a buffer with `pages` nodes `spacing` bytes apart, and the nodes where
 * the chains start. For kernels that execute them, `nodes` is their number and `enter` makes laps
 * over all of them (code.h). */
struct kernel_work {
    void **start[KERNEL_CHAINS];
    char *memory;
    uint64_t pages, spacing;
    uint64_t window; /* nodes of a page, a power of two; for drawing kernels */
    uint64_t loads;  /* requested accesses */
    uint64_t bytes;  /* of the buffer that the nodes span; for a kernel that flushes it */
    uint64_t nodes;
    void (*enter)(uint64_t laps);
};

/* Makes at least one and about work->loads accesses and returns their number. end[] receives the
 * loop's results (the last node of each chain, or the lab's sum), which keeps the compiler from
 * dropping the loop. */
typedef uint64_t kernel_loop(const struct kernel_work *work, uint64_t end[KERNEL_CHAINS]);

/* The time of some runs over a chain, in ticks (platform/ticks.h): of the fastest, and of all. */
struct kernel_runs {
    uint64_t fastest, all;
    void *end; /* the next node */
};

/* Times so many runs of so many loads each. Between two readings of the timer nothing but the nodes
 * is touched: a page of ours would take a TLB entry. */
typedef struct kernel_runs kernel_timer(const struct kernel_work *work, uint64_t loads,
                                        uint64_t runs);

struct kernel {
    const char *name;
    const char *help;
    bool chases;   /* each access depends on the one before; else `memory` in order */
    bool executes; /* the nodes are code */
    bool times; /* times some of its loads itself, in rounds over all nodes: end[1] receives their
                   nanoseconds, net of reading the clock, and end[2] their number */
    bool draws; /* draws its nodes at random instead of following a chain */
    bool card;  /* only on a card (memory/card/card_chase.h) */
    bool small; /* in one of a card's small memories */
    bool bypasses;           /* volatile loads, which pass by a card's first cache */
    bool lanes;              /* each node is a separate chain, and all are walked at once */
    const char *layout;      /* name of its only layout; NULL: any layout */
    const char *holds;       /* verb and object of "nodes hold pointers" */
    uint64_t node_bytes;     /* size and alignment of a node */
    const char *unavailable; /* why it does not run on this processor; NULL: it runs */
    kernel_loop *run;
    kernel_timer *timer;         /* times its own runs of one chain; NULL: the caller times `run` */
    kernel_loop *const *several; /* loops of 2 … KERNEL_CHAINS chains; NULL: one chain only */
};

/* Row numbers of the table. */
enum {
    KERNEL_READ,
    KERNEL_WRITE,
    KERNEL_RANDOM,
    KERNEL_CODE,
    KERNEL_LINEAR,
    KERNEL_DUMMY,
    KERNEL_PROBE,
    KERNEL_VOLATILE,
    KERNEL_LOCAL,
    KERNEL_CONSTANT,
    KERNEL_BANKS
};

extern const struct kernel kernels[]; /* ends with a NULL name; the first is the default */

/* The loop for that number of chains (0 or 1: one chain), or NULL when the kernel has none. */
kernel_loop *kernel_loop_of(const struct kernel *kernel, uint64_t chains);

#endif
