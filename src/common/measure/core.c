/* core.c: the core of a run. */
#include "measure/core.h"
#include "base/error.h"
#include <stddef.h>

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
