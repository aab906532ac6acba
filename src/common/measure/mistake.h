/* mistake.h: planted mistakes: the most common mistakes of memory benchmarks, each a small
 * deviation of `chase` or `simulate`, which students see in the figures, find and fix. */
#ifndef TLBLAB_MEASURE_MISTAKE_H
#define TLBLAB_MEASURE_MISTAKE_H

#include "access/kernel.h"
#include "access/point.h"
#include "machine/facts.h"
#include <stdbool.h>
#include <stdint.h>

struct mistake {
    const char *name;
    const char *help;            /* what is wrong */
    const char *lesson;          /* what it teaches */
    const struct kernel *kernel; /* its only kernel, on line or packed; NULL: any point */
    kernel_loop *run;            /* replaces the kernel's loop; NULL: does not */
    bool dilutes;                /* every word of a node's line is a node */
    bool ascends;                /* the chain visits the nodes in order of their addresses */
    bool cold;                   /* neither the processor nor the chain is warmed */
    bool wanders;                /* the thread is not pinned */
    bool swaps;                  /* takes more memory than there is */
    bool lies;                   /* the machine's claims are wrong: mistake_claim() */
    bool simulated;              /* simulate has it (perturb.h); chase has all */
};

extern const struct mistake mistakes[]; /* ends with a NULL name */

/* The mistake of that name (`simulated`: of those of simulate); NULL for NULL. Dies with a usage
 * error for an unknown name. */
const struct mistake *mistake_find(const char *name, bool simulated);

/* Dies with a usage error for a point that is impossible with the mistake. */
void mistake_check(const struct mistake *mistake, const struct point *point, uint64_t line_bytes);

/* The claim under a metadata key whose true value is `value`: the truth, unless the mistake (NULL:
 * none) lies. Then caches and TLBs are claimed to be half as large, as by systems that describe an
 * efficiency core, and the line to be twice as long. */
uint64_t mistake_claim(const struct mistake *mistake, const char *key, uint64_t value);

/* The same for all claims of a machine. */
void mistake_claim_facts(const struct mistake *mistake, struct facts *facts);

/* Print the mistakes of chase, and those of simulate, for --help. */
void mistake_print_all(void);
void mistake_print_simulated(void);

#endif
