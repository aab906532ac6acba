/* binding.h: the core that a run is pinned to, and the node (NUMA) of its memory. */
#ifndef TLBLAB_MEASURE_BINDING_H
#define TLBLAB_MEASURE_BINDING_H

#include "base/number.h"
#include "platform.h"

/* ---- the core ---- */

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

/* ---- the memory node ---- */

/* The node of --node; none if the option was not given. Dies for several, and for one that this
 * machine does not have. */
struct platform_node node_option(const struct range *numbers);

/* Binds memory that has not been touched yet to the node, if one was requested. Dies if the system
 * refuses. */
void node_bind(struct platform_node node, void *memory, uint64_t bytes);

/* Dies if the node has less free memory. */
void node_check_memory(struct platform_node node, double bytes);

/* Whether touched pages are on the node, in the form of outcome_keep(); NULL: none was requested.
 */
const char *node_verify(struct platform_node node, const void *memory, uint64_t pages,
                        uint64_t distance);

/* Writes the metadata: numa_node, that of the core, and memory_node, the requested one. */
void node_put_meta(struct platform_node node, int cpu);

#endif
