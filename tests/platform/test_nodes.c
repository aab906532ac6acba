/* test_nodes.c: nodes of memory (NUMA): those of recorded machines, and memory on a node of this
 * one.
 *
 *     bin/.obj/plain/tests/platform/test_nodes
 */
#include "recorded.h"

#define NODES "/sys/devices/system/node/"

static char why[PLATFORM_WHY_ROOM];
enum { PAGES = 64 };

/* Two nodes with cores, and a third with memory alone. */
static void record_three(void)
{
    put_file(NODES "online", "0-2\n");
    put_file(NODES "node0/cpulist", "0-3,8\n");
    put_file(NODES "node1/cpulist", "4-7,9\n");
    put_file(NODES "node2/cpulist", "\n");
    put_file(NODES "node1/meminfo", "Node 1 MemTotal:       8192 kB\n"
                                    "Node 1 MemFree:        2048 kB\n"
                                    "Node 1 Inactive(file): 1024 kB\n");
}

static struct platform_outcome has(unsigned number, double bytes)
{
    return platform_node_has((struct platform_node){true, number}, bytes);
}

TEST(nodes_those_with_memory_are_known_of_a_recorded_machine)
{
    record_three();
    CU_ASSERT_EQUAL(has(0, 1).verdict, PLATFORM_YES);
    CU_ASSERT_EQUAL(has(2, 1).verdict, PLATFORM_YES);
    CU_ASSERT_EQUAL(has(3, 1).verdict, PLATFORM_NO);
    CU_ASSERT_PTR_NOT_NULL(
        strstr(has(3, 1).why, "the nodes with memory are 0-2 (" NODES "online)"));
    put_file(NODES "has_memory", "0,2\n");
    CU_ASSERT_EQUAL(has(2, 1).verdict, PLATFORM_YES);
    CU_ASSERT_PTR_NOT_NULL(strstr(has(1, 1).why, "are 0,2 (" NODES "has_memory)"));
    drop_root();
}

TEST(nodes_one_that_has_too_little_free_memory_is_refused)
{
    record_three();
    CU_ASSERT_EQUAL(has(1, 3 << 20).verdict, PLATFORM_YES);
    CU_ASSERT_EQUAL(has(1, (3 << 20) + 1).verdict, PLATFORM_NO);
    CU_ASSERT_PTR_NOT_NULL(strstr(has(1, 9 << 20).why, "9 MiB are needed, and 3 MiB of that node"));
    CU_ASSERT_EQUAL(has(0, 1e12).verdict, PLATFORM_YES); /* it does not say how much it has */
    drop_root();
}

TEST(nodes_the_node_of_a_core_is_known)
{
    record_three();
    CU_ASSERT_EQUAL(platform_node_of(8), 0);
    CU_ASSERT_EQUAL(platform_node_of(4), 1);
    CU_ASSERT_EQUAL(platform_node_of(10), -1);
    CU_ASSERT_EQUAL(platform_node_of(-1), -1);
    drop_root();
}

TEST(nodes_a_system_that_lists_none_has_none)
{
    put_file(NODES "other", "");
    CU_ASSERT_EQUAL(has(0, 1).verdict, PLATFORM_NO);
    CU_ASSERT_PTR_NOT_NULL(strstr(has(0, 1).why, "does not list its nodes"));
    CU_ASSERT_EQUAL(platform_node_of(0), -1);
    drop_root();
}

/* Memory of a node that this machine has, by pages of which every second is touched. */
TEST(nodes_memory_is_bound_to_a_node_and_is_reported_to_be_there)
{
    struct platform_node node = {true, 0};
    size_t page = platform_page_bytes();
    char *memory = platform_map(PAGES * page, 0, NULL);
    if (!platform_can_measure(why)) {
        CU_ASSERT_EQUAL(platform_bind(memory, PAGES * page, node).verdict, PLATFORM_NO);
        return;
    }
    CU_ASSERT_PTR_NOT_NULL_FATAL(memory);
    struct platform_outcome bound = platform_bind(memory, PAGES * page, node);
    CU_ASSERT_EQUAL(bound.why[0] == '\0', bound.verdict == PLATFORM_YES);
    if (bound.verdict == PLATFORM_YES) {
        CU_ASSERT_EQUAL(platform_bound(memory, PAGES, page, node).verdict, PLATFORM_HINT);
        for (size_t i = 0; i < PAGES; i += 2)
            memory[i * page] = 1;
        CU_ASSERT_EQUAL(platform_bound(memory, PAGES, page, node).verdict, PLATFORM_YES);
        node.number = 1; /* no page lies there */
        struct platform_outcome elsewhere = platform_bound(memory, PAGES, page, node);
        CU_ASSERT_EQUAL(elsewhere.verdict, PLATFORM_NO);
        CU_ASSERT_STRING_EQUAL(elsewhere.why, "32 of 32 pages are on other nodes");
    }
    platform_unmap(memory, PAGES * page);
}

/* The recorded machine has the node, and the kernel does not. */
TEST(nodes_a_node_that_the_kernel_does_not_have_is_refused)
{
    struct platform_node node = {true, 63};
    size_t page = platform_page_bytes();
    char *memory = platform_map(PAGES * page, 0, NULL);
    put_file(NODES "online", "0-63\n");
    CU_ASSERT_EQUAL(platform_node_has(node, 1).verdict, PLATFORM_YES);
    if (memory != NULL) {
        struct platform_outcome bound = platform_bind(memory, PAGES * page, node);
        CU_ASSERT_EQUAL(bound.verdict, PLATFORM_NO);
        CU_ASSERT(bound.why[0] != '\0');
        platform_unmap(memory, PAGES * page);
    }
    drop_root();
}
