/* kernel.h: the hot loops, one table of them. */
#ifndef TLBLAB_ACCESS_KERNEL_H
#define TLBLAB_ACCESS_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* As many independent chains as one thread walks at most: about what a core keeps track of in cache
 * misses. */
enum { KERNEL_CHAINS = 16 };

/* How many loads a kernel that draws its places makes in a page before it goes to another. */
enum { KERNEL_DRAWS = 8 };

/* A node of kernel `code` fits into this, and does not cross a cache line at a multiple of it. */
enum { CODE_NODE_BYTES = 16 };

/* What a kernel works on: a buffer in which `pages` nodes lie `spacing` bytes apart; for the
 * chasing kernels the nodes where the chains start, or for those that execute the nodes the
 * sequence of their addresses, its length, and how to enter it (code.h). */
struct kernel_work {
    void **start[KERNEL_CHAINS]; /* the first alone, but for kernel_loop_of() several chains */
    char *memory;
    uint64_t pages, spacing;
    uint64_t window; /* nodes of a page, a power of two: for a kernel that draws them */
    uint64_t loads;  /* accesses wanted */
    uint64_t length;
    void (*enter)(void **sequence);
};

/* Makes at least one and about work->loads accesses and returns how many; end[] is what the loop
 * computed (for each chain its last node, or the lab's sum), so that no compiler can drop it. */
typedef uint64_t kernel_loop(const struct kernel_work *work, uint64_t end[KERNEL_CHAINS]);

struct kernel {
    const char *name;
    const char *help;
    bool chases;             /* follows a chain; else it walks `memory` in order */
    bool executes;           /* the nodes are code */
    bool draws;              /* goes where it draws, not along a chain */
    const char *layout;      /* the name of the only one that it goes on; NULL: any */
    const char *holds;       /* what nodes do, as in "nodes hold pointers" */
    uint64_t node_bytes;     /* the room that a node wants, and what its place is a multiple of */
    const char *unavailable; /* why it does not run here; NULL where it does */
    kernel_loop *run;
    kernel_loop *const *several; /* the loop of 2 … KERNEL_CHAINS chains, at 0 …; NULL: none */
};

/* The rows of the table. */
enum { KERNEL_READ, KERNEL_WRITE, KERNEL_RANDOM, KERNEL_CODE, KERNEL_LINEAR, KERNEL_DUMMY };

extern const struct kernel kernels[]; /* ends with a NULL name; the first is the default */

/* The row of that name, as a table or an option gives it, or NULL. */
const struct kernel *kernel_find(const char *text, size_t length);

/* The loop that walks so many chains at once (0: one), or NULL where the kernel has none. */
kernel_loop *kernel_loop_of(const struct kernel *kernel, uint64_t chains);

#endif
