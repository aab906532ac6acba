/* numa_none.c: refuses memory on a chosen node, for builds without libnuma. */
#include "platform.h"

static struct platform_outcome refuse(void)
{
    return platform_result(PLATFORM_NO, "this program was built without libnuma");
}

struct platform_outcome platform_bind(void *memory, size_t bytes, struct platform_node node)
{
    (void)memory, (void)bytes, (void)node;
    return refuse();
}

struct platform_outcome platform_bound(const void *memory, size_t count, size_t distance,
                                       struct platform_node node)
{
    (void)memory, (void)count, (void)distance, (void)node;
    return refuse();
}
