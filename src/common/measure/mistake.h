/* mistake.h: `chase` and `simulate` broken on purpose: the mistakes that a measurement of memory is
 * most easily perturbed by, one small deviation each, to be seen in the figures, found and mended.
 */
#ifndef TLBLAB_MEASURE_MISTAKE_H
#define TLBLAB_MEASURE_MISTAKE_H

#include "access/kernel.h"
#include "access/point.h"
#include "machine/facts.h"
#include "simulate/perturb.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct mistake {
    const char *name;
    const char *help;   /* what is wrong */
    const char *lesson; /* what that teaches */
    const struct kernel
        *kernel;      /* the one that it perturbs, on layout line or packed; NULL: any point */
    kernel_loop *run; /* in place of the kernel's own; NULL: that */
    bool dilutes;     /* every word of a node's line is a node */
    bool ascends;     /* the chain visits the nodes in order of their addresses */
    bool cold;        /* neither the processor nor the chain is warmed */
    bool wanders;     /* the thread is not pinned */
    bool swaps;       /* more memory is taken than there is */
    bool lies;        /* sizes are not the machine's, but what somebody claims: mistake_claim() */
    perturb *perturb; /* what it does to a sample of a simulated machine */
    bool simulated;   /* simulate knows it; chase knows all */
};

extern const struct mistake mistakes[]; /* ends with a NULL name */

/* The mistake of that name, for simulate one that it knows; NULL for NULL. Dies with a usage error
 * for another word. */
const struct mistake *mistake_find(const char *name, bool simulated);

/* Dies with a usage error for a point that the mistake is not made for. */
void mistake_check(const struct mistake *mistake, const struct point *point, uint64_t line_bytes);

/* What is claimed, under the name that it has in metadata, where the truth is `value`; the truth
 * where the mistake (NULL: none) does not lie. Caches and TLBs are claimed to be half as large, as
 * systems do that tell of an efficiency core's; the line is claimed to be twice as long. */
uint64_t mistake_claim(const struct mistake *mistake, const char *key, uint64_t value);

/* The same for all that a machine claims. */
void mistake_claim_facts(const struct mistake *mistake, struct facts *facts);

/* Prints the table, for --help. */
void mistake_print_names(bool simulated);

#endif
