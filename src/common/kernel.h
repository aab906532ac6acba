/* kernel.h: the hot loops, one table of them. */
#ifndef TLBLAB_KERNEL_H
#define TLBLAB_KERNEL_H

#include "point.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a kernel works on: a buffer in which `pages` nodes lie `spacing` bytes apart; for the
 * chasing kernels the node where the chain starts, or for those that execute the nodes the sequence
 * of their addresses, its length, and how to enter it (code.h). */
struct kernel_work {
    void **start;
    const char *memory;
    uint64_t pages, spacing;
    uint64_t loads; /* accesses wanted */
    uint64_t length;
    void (*enter)(void **sequence);
};

struct kernel {
    const char *name;
    const char *help;
    bool chases;         /* follows a chain; else it walks `memory` in order, on layout `line` */
    bool executes;       /* the nodes are code */
    uint64_t node_bytes; /* the room that a node wants, and what its place is a multiple of */
    const char *unavailable; /* why it does not run here; NULL where it does */
    /* Makes at least one and about work->loads accesses and returns how many; *end is what the loop
     * computed (the last node, or the lab's sum), so that no compiler can drop it. */
    uint64_t (*run)(const struct kernel_work *work, uint64_t *end);
};

extern const struct kernel kernels[]; /* ends with a NULL name; the first is the default */
const struct kernel *kernel_find(const char *text, size_t length);

#endif
