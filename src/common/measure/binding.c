/* binding.c: the core and the memory node of a run. */
#include "measure/binding.h"
#include "base/error.h"
#include "machine/outcome.h"
#include "table/table.h"
#include <limits.h>
#include <stddef.h>

/* ---- the core ---- */

const char *const core_kinds[] = {"performance", "efficiency", NULL};

struct core core_pin(void)
{
    struct core core;
    core.pinned = platform_pin(&core.cpu);
    return core;
}

void core_restrict(const char *const *kind)
{
    if (kind == NULL)
        return;
    struct platform_outcome result = platform_restrict(*kind);
    if (result.verdict == PLATFORM_NO)
        die("--core-kind %s: %s", *kind, result.why);
}

struct core core_wander(void)
{
    struct core core;
    core.pinned = platform_move(&core.cpu);
    if (core.pinned.verdict == PLATFORM_NO)
        die("the thread cannot be moved from core to core: %s", core.pinned.why);
    core.pinned = (struct platform_outcome){PLATFORM_NO, "moved from core to core on purpose"};
    return core;
}

void core_warn_moved(const struct core *core, const struct platform_counts *now)
{
    static bool warned;
    if (warned || core->pinned.verdict != PLATFORM_YES || now->cpu < 0 || now->cpu == core->cpu)
        return;
    warn("the run was moved from core %d to core %d: its affinity or its cpuset was changed "
         "(column migrations shows the sample)",
         core->cpu, now->cpu);
    warned = true;
}

/* ---- the memory node ---- */

struct platform_node node_option(const struct range *numbers)
{
    struct platform_node node = {.wanted = numbers->count > 0};
    if (!node.wanted)
        return node;
    if (numbers->count > 1)
        die_usage("--node: one node at a time (scripts/nodes measures all of them)");
    if (numbers->values[0] > INT_MAX)
        die_usage("--node %llu: no machine has that many", (unsigned long long)numbers->values[0]);
    node.number = (unsigned)numbers->values[0];
    node_check_memory(node, 0);
    return node;
}

void node_check_memory(struct platform_node node, double bytes)
{
    struct platform_outcome has = {.verdict = PLATFORM_YES};
    if (node.wanted)
        has = platform_node_has(node, bytes);
    if (has.verdict == PLATFORM_NO)
        die("--node %u: %s", node.number, has.why);
}

void node_bind(struct platform_node node, void *memory, uint64_t bytes)
{
    struct platform_outcome bound = {.verdict = PLATFORM_YES};
    if (node.wanted)
        bound = platform_bind(memory, bytes, node);
    if (bound.verdict == PLATFORM_NO)
        die("--node %u: %s", node.number, bound.why);
}

const char *node_verify(struct platform_node node, const void *memory, uint64_t pages,
                        uint64_t distance)
{
    return node.wanted ? outcome_keep(platform_bound(memory, pages, distance, node)) : NULL;
}

void node_put_meta(struct platform_node node, int cpu)
{
    int own = platform_node_of(cpu);
    if (own >= 0)
        table_put_meta("numa_node", "%d", own);
    if (node.wanted)
        table_put_meta("memory_node", "%u", node.number);
}
