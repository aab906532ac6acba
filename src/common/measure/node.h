/* node.h: the memory node (NUMA) of a run. */
#ifndef TLBLAB_MEASURE_NODE_H
#define TLBLAB_MEASURE_NODE_H

#include "base/range.h"
#include "platform.h"

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
