/* core.h: the core of a run. */
#ifndef TLBLAB_MEASURE_CORE_H
#define TLBLAB_MEASURE_CORE_H

#include "platform.h"

struct core {
    int cpu;
    struct platform_outcome pinned;
};

/* Pins this run to the idlest core. Comes before facts_gather(): on a machine with several kinds of
 * core CPUID describes the current one. */
struct core core_pin(void);

extern const char *const core_kinds[]; /* ends with NULL */

/* Restricts this run to one of these kinds (NULL: any), before core_pin(). If all cores are alike,
 * they are performance cores. Dies when there is no core of that kind. */
void core_restrict(const char *const *kind);

/* For the mistake `migrate`: does not pin. Dies when there is no second core to move to. */
struct core core_wander(void);

/* Warns, once, where a pinned run is now on another core: caches and TLBs there are cold, or of
 * another kind. */
void core_warn_moved(const struct core *core, const struct platform_counts *now);

#endif
