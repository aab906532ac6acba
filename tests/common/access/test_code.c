/* test_code.c: generated nodes: each of them is run, in the order of the sequence, and the sequence
 * has all of them equally often, each time in another order. No time is judged.
 *
 *     bin/.obj/plain/tests/common/access/test_code
 */
#include "access/code.h"
#include "access/kernel.h"
#include "access/layout.h"
#include "platform.h"
#include "tap.h"
#include <stdlib.h>
#include <string.h>

enum { NODES_MOST = 300, STEPS_MOST = 1 << 16 };

/* What a test works with. */
static struct point point;
static char *memory;
static uint64_t bytes;
static struct code *code;
static struct kernel_work work;

static void open_nodes(const char *layout, uint64_t nodes, uint64_t spacing, uint64_t loads)
{
    static uint32_t next[NODES_MOST];
    struct random random;
    point = (struct point){.pages = nodes,
                           .spacing = spacing,
                           .page_bytes = platform_page_bytes(),
                           .layout = layout_find(layout, strlen(layout)),
                           .kernel = &kernels[KERNEL_CODE],
                           .backing = &backings[BACKING_SCATTERED]};
    bytes = layout_bytes(&point);
    memory = platform_map(bytes, 0, NULL);
    CU_ASSERT_PTR_NOT_NULL_FATAL(memory);
    code_place(memory, bytes, &point, 64);
    random_seed(&random, 1, nodes);
    work = (struct kernel_work){.loads = loads};
    code = NULL;
    code_sequence(&code, &work, &point, memory, 64, next, &random);
}

static void close_nodes(void)
{
    code_free(code);
    platform_unmap(memory, bytes);
}

static uint64_t node_of(const void *place)
{
    for (uint64_t i = 0; i < point.pages; i++)
        if (place == memory + point.layout->offset(&point, 64, i))
            return i;
    return point.pages;
}

/* Rounds of the sequence that hold each node once, and those that are in the order of the first. */
static void check_rounds(uint64_t rounds)
{
    uint64_t nodes = point.pages, alike = 0;
    CU_ASSERT_EQUAL_FATAL(work.start[2] - work.start[0], (ptrdiff_t)(rounds * nodes) + 1);
    for (uint64_t round = 0; round < rounds; round++) {
        bool seen[NODES_MOST + 1] = {false};
        void **from = work.start[0] + round * nodes;
        for (uint64_t i = 0; i < nodes; i++)
            seen[node_of(from[i])] = true;
        for (uint64_t i = 0; i < nodes; i++)
            CU_ASSERT_TRUE(seen[i]);
        alike += memcmp(from, work.start[0], nodes * sizeof *from) == 0;
    }
    if (nodes >= 16)
        CU_ASSERT_EQUAL(alike, 1);
}

static void the_sequence_is_many_random_orders(void)
{
    open_nodes("page", 50, platform_page_bytes(), 1000);
    check_rounds(20);
    close_nodes();
    open_nodes("packed", NODES_MOST, 64, 1);
    check_rounds(2);
    close_nodes();
    open_nodes("line", 1, 16, 7);
    check_rounds(7);
    close_nodes();
}

/* A spy is called like a node, between two of them: its argument shows which node came before. */
typedef void node_function(void **rest);
static void **visited[STEPS_MOST];
static size_t visits;

static void spy(void **rest)
{
    node_function *next;
    if (visits < STEPS_MOST)
        visited[visits++] = rest;
    memcpy(&next, rest, sizeof next);
    next(rest + 1);
}

/* Node, spy, node, spy, …, exit: each node calls the spy behind it, each spy the node behind it. */
static void *spied[2 * STEPS_MOST + 1];

/* The piece that comes next is run, and left behind its last node. */
static void check_visits(void)
{
    node_function *between = spy;
    visits = 0;
    for (uint64_t i = 0; i < work.piece; i++) {
        spied[2 * i] = work.start[0][i];
        memcpy(&spied[2 * i + 1], &between, sizeof between);
    }
    spied[2 * work.piece] = work.start[0][work.piece];
    work.enter(spied);
    CU_ASSERT_EQUAL_FATAL(visits, work.piece);
    for (uint64_t i = 0; i < work.piece; i++)
        CU_ASSERT_PTR_EQUAL(visited[i], &spied[2 * i + 2]);
}

static void every_node_is_run(void)
{
    open_nodes("page", 64, platform_page_bytes(), 640);
    check_visits();
    close_nodes();
    open_nodes("line", 100, CODE_NODE_BYTES, 200);
    check_visits();
    close_nodes();
}

/* Nothing but nodes is written, each within its room. */
static void nodes_keep_to_their_places(void)
{
    open_nodes("line", 16, 64, 16);
    for (uint64_t i = 0; i < bytes; i++)
        CU_ASSERT_TRUE(i % 64 < CODE_NODE_BYTES || memory[i] == 0);
    for (uint64_t i = 1; i < 16; i++)
        CU_ASSERT_EQUAL(memcmp(memory, memory + 64 * i, CODE_NODE_BYTES), 0);
    close_nodes();
}

static void a_run_reports_what_it_did(void)
{
    uint64_t end;
    open_nodes("page", 10, platform_page_bytes(), 100);
    CU_ASSERT_EQUAL(point.kernel->run(&work, &end), 100);
    work.loads = 101;
    CU_ASSERT_EQUAL(point.kernel->run(&work, &end), 200);
    CU_ASSERT_EQUAL(end, (uint64_t)(uintptr_t)work.start[0]);
    work.loads = 0;
    CU_ASSERT_EQUAL(point.kernel->run(&work, &end), 100);
    close_nodes();
}

/* The gate and the sequence stay from one sample to the next. */
static void another_sample_has_another_sequence(void)
{
    static uint32_t next[NODES_MOST];
    struct random random;
    open_nodes("page", 20, platform_page_bytes(), 40);
    void *first[40];
    memcpy(first, work.start[0], sizeof first);
    random_seed(&random, 2, 20);
    work = (struct kernel_work){.loads = 400};
    code_sequence(&code, &work, &point, memory, 64, next, &random);
    CU_ASSERT_NOT_EQUAL(memcmp(first, work.start[0], sizeof first), 0);
    check_rounds(20);
    check_visits();
    close_nodes();
}

/* Each run goes through the next piece, and through the first again after the last. */
static void a_sequence_is_left_after_each_piece(void)
{
    static uint32_t next[NODES_MOST];
    struct random random;
    uint64_t end;
    open_nodes("page", 20, platform_page_bytes(), 400);
    random_seed(&random, 3, 20);
    work = (struct kernel_work){.loads = 400, .piece = 70};
    code_sequence(&code, &work, &point, memory, 64, next, &random);
    CU_ASSERT_EQUAL(work.piece, 60);
    CU_ASSERT_PTR_EQUAL(work.start[2], work.start[1] + 420 + 7);
    for (uint64_t piece = 1; piece <= 8; piece++) {
        check_visits();
        work.loads = 60;
        CU_ASSERT_EQUAL(point.kernel->run(&work, &end), 60);
        work.start[0] = (void **)(uintptr_t)end;
        CU_ASSERT_PTR_EQUAL(work.start[0], work.start[1] + piece % 7 * 61);
    }
    close_nodes();
}

static void it_is_said_why_there_is_none(void)
{
    const char *why = kernels[KERNEL_CODE].unavailable;
    CU_ASSERT_TRUE(why == NULL || why[0] != '\0');
}

int main(void)
{
    char why[PLATFORM_WHY_ROOM];
    TAP_SUITE("kernel code", {"it is said why there is none", it_is_said_why_there_is_none});
    if (platform_can_measure(why) && kernels[KERNEL_CODE].unavailable == NULL)
        TAP_SUITE("code",
                  {"the sequence is many random orders", the_sequence_is_many_random_orders},
                  {"every node is run", every_node_is_run},
                  {"nodes keep to their places", nodes_keep_to_their_places},
                  {"a run reports what it did", a_run_reports_what_it_did},
                  {"another sample has another sequence", another_sample_has_another_sequence},
                  {"a sequence is left after each piece", a_sequence_is_left_after_each_piece});
    return tap_run();
}
