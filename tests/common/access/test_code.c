/* test_code.c: generated nodes: a lap visits each of them, in the order of the chain, and returns.
 * No time is judged.
 *
 *     bin/.obj/plain/tests/common/access/test_code
 */
#include "access/chain.h"
#include "access/code.h"
#include "access/kernel.h"
#include "access/layout.h"
#include "named.h"
#include "platform.h"
#include "tap.h"
#include <stdlib.h>
#include <string.h>

static bool has_code(void)
{
    return kernels[KERNEL_CODE].unavailable == NULL;
}

enum { NODES_MAX = 300 };

static struct point point;
static char *memory;
static uint64_t bytes;
static struct kernel_work work;
static uint32_t next[NODES_MAX];

static void link_nodes(uint64_t seed)
{
    struct random random;
    random_seed(&random, seed, point.pages);
    point.layout->chain(next, &point, &random);
    work = (struct kernel_work){.pages = point.pages};
    code_link(memory, &point, 64, next, &work);
}

static void open_nodes(const char *layout, uint64_t nodes, uint64_t spacing)
{
    point = point_of(layout, nodes, spacing);
    point.page_bytes = platform_page_bytes();
    point.kernel = &kernels[KERNEL_CODE];
    point.one_place = true;
    bytes = layout_bytes(&point);
    memory = platform_map(bytes, 0, NULL);
    CU_ASSERT_PTR_NOT_NULL_FATAL(memory);
    link_nodes(1);
}

static void close_nodes(void)
{
    platform_unmap(memory, bytes);
}

static char *place_of(uint64_t node)
{
    return memory + point.layout->offset(&point, 64, node);
}

/* Each node, put out of the chain by a return in its place, ends the lap there: so a lap visits it.
 */
TEST_IF(has_code(), every_node_is_run)
{
    static const char *layouts_of_code[] = {"page", "packed", "line"};
    for (size_t i = 0; i < 3; i++) {
        uint64_t spacing = i == 0 ? platform_page_bytes() : 64, node = 0, visited = 0;
        open_nodes(layouts_of_code[i], 50, spacing);
        do {
            visited++;
            node = next[node];
        } while (node != 0);
        CU_ASSERT_EQUAL(visited, 50);
        work.enter(1);
        work.enter(1000);
        close_nodes();
    }
}

#if defined(__x86_64__)
static int64_t distance_at(const char *place, size_t from)
{
    int32_t distance;
    memcpy(&distance, place + from, sizeof distance);
    return distance + (int64_t)from + 4;
}

/* Decodes the jumps: each leads to the next node of the chain, the last one by way of a count. */
TEST_IF(has_code(), jumps_follow_the_chain)
{
    for (uint64_t seed = 1; seed < 4; seed++) {
        open_nodes("page", 64, platform_page_bytes());
        link_nodes(seed);
        for (uint64_t i = 0; i < 64; i++) {
            const char *place = place_of(i), *to = place_of(next[i]);
            bool last = next[i] == 0;
            CU_ASSERT_EQUAL((unsigned char)place[0], last ? 0x48 : 0xe9);
            CU_ASSERT_PTR_EQUAL(place + distance_at(place, last ? 5 : 1), to);
        }
        close_nodes();
    }
}
#else
TEST_IF(has_code(), jumps_follow_the_chain)
{
    CU_PASS("decoded on x86-64 alone");
}
#endif

/* Nothing but nodes is written, each within its place. */
TEST_IF(has_code(), nodes_keep_to_their_places)
{
    open_nodes("line", 16, 64);
    for (uint64_t i = 0; i < 16 * 64; i++)
        CU_ASSERT_TRUE(i % 64 < CODE_NODE_BYTES || memory[i] == 0);
    close_nodes();
}

TEST_IF(has_code(), a_run_reports_what_it_did)
{
    uint64_t end;
    open_nodes("page", 10, platform_page_bytes());
    work.loads = 100;
    CU_ASSERT_EQUAL(point.kernel->run(&work, &end), 100);
    work.loads = 101;
    CU_ASSERT_EQUAL(point.kernel->run(&work, &end), 110);
    work.loads = 0;
    CU_ASSERT_EQUAL(point.kernel->run(&work, &end), 10);
    struct kernel_runs time = point.kernel->timer(&work, 100, 3);
    CU_ASSERT_TRUE(time.fastest > 0 && time.all >= 3 * time.fastest);
    close_nodes();
}

TEST(the_reason_is_given_where_there_is_none)
{
    const char *why = kernels[KERNEL_CODE].unavailable;
    CU_ASSERT_TRUE(why == NULL || why[0] != '\0');
}
