/* numa.c: memory on a chosen node, through libnuma. */
#include "platform.h"
#include <errno.h>
#include <numa.h>
#include <numaif.h>
#include <string.h>

/* libnuma inspects the system as soon as the program starts, and would complain on stderr if there
 * is no /proc, even if unused. */
void numa_warn(int number, char *format, ...)
{
    (void)number, (void)format;
}

static bool is_allowed(unsigned number)
{
    struct bitmask *allowed = numa_get_mems_allowed();
    bool yes = allowed != NULL && numa_bitmask_isbitset(allowed, number);
    numa_free_nodemask(allowed);
    return yes;
}

struct platform_outcome platform_bind(void *memory, size_t bytes, struct platform_node node)
{
    struct platform_outcome outcome = {.verdict = PLATFORM_YES};
    if (numa_available() < 0)
        return platform_result(PLATFORM_NO, "get_mempolicy: %s", strerror(errno));
    if (node.number > (unsigned)numa_max_possible_node())
        return platform_result(PLATFORM_NO, "mbind: %s", strerror(EINVAL));
    struct bitmask *nodes = numa_allocate_nodemask();
    if (nodes == NULL)
        platform_out_of_memory();
    numa_bitmask_setbit(nodes, node.number);
    if (mbind(memory, bytes, MPOL_BIND, nodes->maskp, nodes->size + 1, MPOL_MF_STRICT) != 0)
        outcome = platform_result(PLATFORM_NO, "mbind: %s", strerror(errno));
    if (outcome.verdict == PLATFORM_NO && !is_allowed(node.number))
        outcome = platform_result(
            PLATFORM_NO,
            "this process may not use the memory of node %u (a control group's cpuset, or "
            "the system does not have it)",
            node.number);
    numa_free_nodemask(nodes);
    return outcome;
}

/* At most this many pages are queried. */
enum { PAGES_MAX = 4096 };

struct platform_outcome platform_bound(const void *memory, size_t count, size_t distance,
                                       struct platform_node node)
{
    struct platform_outcome outcome = {.verdict = PLATFORM_YES};
    void *pages[PAGES_MAX];
    int status[PAGES_MAX];
    size_t asked = count < PAGES_MAX ? count : PAGES_MAX, there = 0, elsewhere = 0;
    for (size_t i = 0; i < asked; i++)
        pages[i] = (char *)(uintptr_t)memory + (uint64_t)i * count / asked * distance;
    if (asked > 0 && numa_move_pages(0, asked, pages, NULL, status, 0) != 0)
        return platform_result(PLATFORM_HINT, "move_pages: %s", strerror(errno));
    for (size_t i = 0; i < asked; i++) {
        there += status[i] >= 0;
        elsewhere += status[i] >= 0 && status[i] != (int)node.number;
    }
    if (elsewhere > 0) {
        outcome = platform_result(PLATFORM_NO, "%zu of %zu pages are on other nodes", elsewhere,
                                  there);
    } else if (there == 0) {
        outcome = platform_result(PLATFORM_HINT, "move_pages finds none of the pages in memory");
    }
    return outcome;
}
