/* core.h: the core of a run. */
#ifndef TLBLAB_MEASURE_CORE_H
#define TLBLAB_MEASURE_CORE_H

#include "platform.h"

struct core {
    int cpu;
    struct platform_outcome pinned;
};

/* Takes a core first of all, because on a machine with several kinds of core the processor
 * describes the one that it is asked on. */
struct core core_pin(void);

struct core_kind {
    const char *name;
};
extern const struct core_kind core_kinds[]; /* ends with a NULL name */

/* Keeps this run to cores of a kind (NULL: any) before one is pinned; where all are alike they are
 * performance cores. Dies where there are none. */
void core_restrict(const struct core_kind *kind);

/* Does not pin: the core of the mistake `migrate`. Dies where there is no other core to move to. */
struct core core_wander(void);

#endif
