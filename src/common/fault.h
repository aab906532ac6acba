/* fault.h: `chase` broken on purpose: the mistakes that a measurement of memory is most easily
 * spoilt by, one small deviation each, to be seen in the figures, found and mended. */
#ifndef TLBLAB_FAULT_H
#define TLBLAB_FAULT_H

#include "kernel.h"
#include "point.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fault {
    const char *name;
    const char *help;   /* what is wrong */
    const char *lesson; /* what that teaches */
    const char *kernel; /* the one that it spoils */
    kernel_loop *run;   /* in place of the kernel's own; NULL: that */
    bool dilutes;       /* every word of a node's line is a node */
    bool ascends;       /* the chain visits the nodes in order of their addresses */
    bool cold;          /* neither the processor nor the chain is warmed */
    bool wanders;       /* the thread is not pinned */
};

extern const struct fault faults[]; /* ends with a NULL name */

/* The fault of that name; NULL for NULL. Dies with a usage error for a word that is none. */
const struct fault *fault_find(const char *name);

/* Dies with a usage error for a point that the fault is not made for. */
void fault_check(const struct fault *fault, const struct point *point, uint64_t line_bytes);

/* Prints the table, for --help. */
void fault_print_names(void);

#endif
