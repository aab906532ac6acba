/* test_chain.c: chains are single cycles, uniform, and go window after window; layouts never let
 * nodes overlap.
 *
 *     bin/.obj/plain/tests/common/access/test_chain
 */
#include "access/chain.h"
#include "access/kernel.h"
#include "access/layout.h"
#include "drawn.h"
#include "named.h"
#include "tap.h"
#include <stdlib.h>
#include <string.h>

/* The nodes in the order of walking from `start`; false unless each of the n appears once. */
static bool walk(const uint32_t *next, uint64_t n, uint32_t start, uint32_t *visited)
{
    char *seen = calloc(n, 1);
    bool once = seen != NULL;
    uint32_t node = start;
    for (uint64_t i = 0; once && i < n; i++) {
        once = node < n && !seen[node];
        if (once) {
            seen[node] = 1;
            visited[i] = node;
            node = next[node];
        }
    }
    free(seen);
    return once && node == start;
}

TEST(is_one_cycle_over_every_node)
{
    static uint32_t next[5000], visited[5000];
    struct random random;
    random_seed(&random, 11, 0);
    for (uint64_t n = 1; n <= 5000; n += n < 70 ? 1 : 611) {
        chain_cycle(next, n, &random);
        CU_ASSERT(walk(next, n, (uint32_t)(n / 2), visited));
    }
}

/* Five nodes have 4! = 24 cycles: each is as likely (chi-square, 23 degrees of freedom). */
TEST(is_every_cycle_as_often)
{
    enum { N = 5, CYCLES = 24, DRAWS = 24000 };
    static int seen[N * N * N * N]; /* by the nodes visited after node 0 */
    struct random random;
    random_seed(&random, 12, 0);
    for (int draw = 0; draw < DRAWS; draw++) {
        uint32_t next[N], visited[N];
        chain_cycle(next, N, &random);
        CU_ASSERT_FATAL(walk(next, N, 0, visited));
        seen[((visited[1] * N + visited[2]) * N + visited[3]) * N + visited[4]]++;
    }
    int cycles = 0;
    double chi = 0, expected = (double)DRAWS / CYCLES;
    for (size_t i = 0; i < sizeof seen / sizeof *seen; i++)
        if (seen[i] > 0) {
            cycles++;
            chi += (seen[i] - expected) * (seen[i] - expected) / expected;
        }
    CU_ASSERT_EQUAL(cycles, CYCLES);
    CU_ASSERT(chi < 58.6); /* the 99.99 % point */
}

/* Cut into pieces, each is a cycle, no two share a node, and their lengths differ by one at most.
 */
TEST(is_cut_into_cycles)
{
    enum { N = 1000, MOST = 16 };
    static uint32_t next[N];
    struct random random;
    random_seed(&random, 17, 0);
    for (uint64_t n = 1; n <= N; n = n < 40 ? n + 1 : n * 5)
        for (uint64_t count = 1; count <= MOST && count <= n; count++) {
            uint32_t first[MOST];
            char seen[N] = {0};
            uint64_t total = 0;
            chain_cycle(next, n, &random);
            chain_cut(next, n, count, first);
            for (uint64_t piece = 0; piece < count; piece++) {
                uint64_t length = 0;
                for (uint32_t node = first[piece]; !seen[node]; node = next[node], length++)
                    seen[node] = (char)(piece + 1);
                CU_ASSERT(length == n / count || length == n / count + 1);
                CU_ASSERT_EQUAL(seen[next[first[piece]]], (char)(piece + 1));
                total += length;
            }
            CU_ASSERT_EQUAL(total, n);
        }
}

/* The same cycle, entered where a window begins: at a node whose predecessor is in another one. */
static uint32_t window_start(const uint32_t *next, uint64_t n, uint64_t box)
{
    for (uint32_t i = 0; i < n; i++)
        if (next[i] / box != i / box)
            return next[i];
    return 0;
}

TEST(walks_window_after_window)
{
    static uint32_t next[1000], visited[1000];
    struct random random;
    random_seed(&random, 13, 0);
    static const struct {
        uint64_t n, box;
    } cases[] = {{1000, 100}, {1000, 96}, {1000, 1}, {1000, 999}, {1000, 1000}, {7, 3}, {1, 1}};
    for (int mode = CHAIN_RANDOM_BOX; mode <= CHAIN_DIFF_RANDOM_IN_BOX; mode++)
        for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
            uint64_t n = cases[c].n, box = cases[c].box, changes = 0;
            chain_boxes(next, n, box, (enum chain_mode)mode, &random);
            CU_ASSERT_FATAL(walk(next, n, window_start(next, n, box), visited));
            for (uint64_t i = 1; i < n; i++)
                changes += visited[i] / box != visited[i - 1] / box;
            CU_ASSERT_EQUAL(changes, (n + box - 1) / box - 1); /* no window is entered twice */
        }
}

/* How many of the ten windows are walked in the order of window 0, and how many follow the one
 * before them in the buffer; each starts with a node that no other window leads away from. */
static void compare_windows(enum chain_mode mode, int *alike, int *in_sequence)
{
    enum { BOX = 20, N = 10 * BOX };
    uint32_t next[N], visited[N], at[10] = {0};
    struct random random;
    random_seed(&random, 14, (uint64_t)mode);
    chain_boxes(next, N, BOX, mode, &random);
    CU_ASSERT_FATAL(walk(next, N, window_start(next, N, BOX), visited));
    for (uint32_t b = 0; b < 10; b++)
        at[visited[b * BOX] / BOX] = b;
    *alike = *in_sequence = 0;
    for (uint32_t b = 0; b < 10; b++) {
        uint32_t same = 0;
        for (uint32_t i = 0; i < BOX; i++)
            same += visited[at[b] * BOX + i] - b * BOX == visited[at[0] * BOX + i];
        *alike += same == BOX;
        *in_sequence += at[(b + 1) % 10] == (at[b] + 1) % 10;
    }
}

TEST(orders_the_windows_as_the_mode_says)
{
    int alike, in_sequence;
    compare_windows(CHAIN_SAME_RANDOM_IN_BOX, &alike, &in_sequence);
    CU_ASSERT_EQUAL(alike, 10);
    CU_ASSERT_EQUAL(in_sequence, 10);
    compare_windows(CHAIN_DIFF_RANDOM_IN_BOX, &alike, &in_sequence);
    CU_ASSERT_EQUAL(alike, 1);
    CU_ASSERT_EQUAL(in_sequence, 10);
    compare_windows(CHAIN_RANDOM_BOX, &alike, &in_sequence);
    CU_ASSERT_EQUAL(alike, 1);
    CU_ASSERT(in_sequence < 8);
}

TEST(is_built_as_the_layout_wants_it)
{
    uint32_t next[64], visited[64];
    struct random random;
    random_seed(&random, 15, 0);
    struct point point = point_of("page", 37, 4096);
    point.one_place = true;
    CU_ASSERT_EQUAL(layout_nodes(&point), 37);
    CU_ASSERT_EQUAL(layout_bytes(&point), 37 * 4096);
    point.layout->chain(next, &point, &random);
    CU_ASSERT(walk(next, 37, 0, visited));
    point = point_of("box", 8, 64);
    point.buffer = (uint64_t)60 * 64;
    point.chain = CHAIN_DIFF_RANDOM_IN_BOX;
    CU_ASSERT_EQUAL(layout_nodes(&point), 60);
    CU_ASSERT_EQUAL(layout_bytes(&point), 60 * 64);
    point.layout->chain(next, &point, &random);
    CU_ASSERT(walk(next, 60, window_start(next, 60, 8), visited));
    int changes = 0;
    for (uint32_t i = 1; i < 60; i++)
        changes += visited[i] / 8 != visited[i - 1] / 8;
    CU_ASSERT_EQUAL(changes, 7);
}

TEST(places_nodes_without_overlap)
{
    struct point point = point_of("page", 200, 4096);
    CU_ASSERT_EQUAL(point.layout->offset(&point, 64, 0), 0);
    CU_ASSERT_EQUAL(point.layout->offset(&point, 64, 1), 4096 + 64);
    CU_ASSERT_EQUAL(point.layout->offset(&point, 64, 63), 63 * 4096 + 63 * 64);
    CU_ASSERT_EQUAL(point.layout->offset(&point, 64, 64), 64 * 4096 + 64);
    point.spacing = 3 * 4096; /* the stagger stays within one page */
    CU_ASSERT_EQUAL(point.layout->offset(&point, 64, 64), 64 * 3 * 4096 + 64);
    point.spacing = 512; /* nodes closer than a page do not overlap */
    CU_ASSERT_EQUAL(point.layout->offset(&point, 64, 7), 7 * 512 + 7 * 64);
    CU_ASSERT_EQUAL(point.layout->offset(&point, 64, 8), 8 * 512 + 64);
    point.spacing = 32;
    CU_ASSERT_EQUAL(point.layout->offset(&point, 64, 8), 8 * 32);
    point = point_of("packed", 200, 64);
    CU_ASSERT_EQUAL(point.layout->offset(&point, 64, 70), 70 * 64);
    point = point_of("line", 200, 256);
    CU_ASSERT_EQUAL(point.layout->offset(&point, 64, 70), 70 * 256);
}

/* Samples of `page` lie on pages of their own, which begin at a multiple of a power of two that is
 * no smaller than the chain; none leaves the buffer, which never shrinks with the number of nodes.
 */
TEST(has_windows_for_the_samples_of_page)
{
    struct point point = point_of("page", 100, 4096);
    uint64_t before = 0;
    for (point.sample = 0; point.sample < 8; point.sample++)
        CU_ASSERT_EQUAL(point.layout->offset(&point, 64, 0), point.sample * 128 * 4096);
    CU_ASSERT_EQUAL(point.layout->offset(&point, 64, 0), 0);
    for (point.pages = 1; point.pages <= 20000; point.pages += point.pages / 9 + 1) {
        CU_ASSERT_TRUE(layout_bytes(&point) >= before);
        before = layout_bytes(&point);
        for (point.sample = 0; point.sample < 12; point.sample++)
            CU_ASSERT_TRUE(point.layout->offset(&point, 64, point.pages - 1) + 64 <= before);
    }
    point = (struct point){.pages = 100,
                           .spacing = 4096,
                           .page_bytes = 4096,
                           .sample = 1,
                           .layout = &layouts[LAYOUT_PAGE],
                           .backing = &backings[BACKING_CONTIGUOUS],
                           .kernel = &kernels[KERNEL_READ]};
    CU_ASSERT_EQUAL(point.layout->offset(&point, 64, 0), 0);
    point.backing = &backings[BACKING_SCATTERED];
    CU_ASSERT_EQUAL(point.layout->offset(&point, 64, 0), 128 * 4096);
    CU_ASSERT_EQUAL(layout_place(&point), 128);
    point.one_place = true;
    CU_ASSERT_EQUAL(point.layout->offset(&point, 64, 0), 0);
    CU_ASSERT_EQUAL(layout_bytes(&point), 100 * 4096);
    CU_ASSERT_EQUAL(layout_places_bytes(&point), 0);
}

/* A point of the layout that is possible. */
static struct point possible(const struct layout *layout)
{
    struct point point = point_of(layout->name, 30, layout->pairs || layout->probes ? 64 : 8192);
    if (layout->probes) { /* groups of 5 nodes, in `crossing` of 6 */
        point.kernel = &kernels[KERNEL_PROBE];
        point.touches = 4;
        point.probe = 128;
    }
    point.buffer = layout->whole_buffer ? (uint64_t)48 * 4096 : 0;
    point.targets = layout->targets ? 10 : 0;
    point.others = layout->targets ? 5 : 0;
    return point;
}

static int compare_places(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Whether the places are so many bytes apart, the last one before `end`. */
static bool are_apart(uint64_t *places, uint64_t count, uint64_t bytes, uint64_t end)
{
    qsort(places, count, sizeof *places, compare_places);
    bool apart = places[count - 1] < end && end - places[count - 1] >= bytes;
    for (uint64_t i = 1; i < count; i++)
        apart = apart && places[i] - places[i - 1] >= bytes;
    return apart;
}

/* Of every layout: the chain is one cycle over all nodes, which lie within the buffer and do not
 * overlap; targets and others have a page each. */
TEST(is_one_cycle_over_nodes_that_lie_apart_within_the_buffer)
{
    static uint64_t places[DRAWN_NODES];
    static uint32_t next[DRAWN_NODES], visited[DRAWN_NODES];
    unsigned possible_ones[LAYOUT_CROSSING + 1] = {0};
    struct random random;
    random_seed(&random, 16, 0);
    for (int draw = 0; draw < 40000; draw++) {
        struct point p = drawn_point(&random);
        const struct layout *layout = p.layout;
        if (point_refuses(&p) != NULL || layout_nodes(&p) > DRAWN_NODES)
            continue;
        uint64_t nodes = layout_nodes(&p), each = p.targets + p.others;
        possible_ones[layout - layouts]++;
        CU_ASSERT_TRUE(layout_window(&p) > 0);
        layout->chain(next, &p, &random);
        CU_ASSERT_TRUE(walk(next, nodes, 0, visited));
        for (uint64_t i = 0; i < nodes; i++)
            places[i] = layout->offset(&p, 64, i);
        CU_ASSERT_TRUE(are_apart(places, nodes, p.kernel->node_bytes, layout_bytes(&p)));
        for (uint64_t i = 0; i < each; i++)
            places[i] = layout->offset(&p, 64, i) / p.page_bytes;
        CU_ASSERT_TRUE(each == 0 || are_apart(places, each, 1, UINT64_MAX));
    }
    for (size_t i = 0; i <= LAYOUT_CROSSING; i++)
        CU_ASSERT_TRUE(possible_ones[i] > 100);
}

/* Values derived from a row agree with the places of its nodes. */
TEST(is_even_or_shows_a_TLB_as_its_nodes_do)
{
    for (const struct layout *layout = layouts; layout->name != NULL; layout++) {
        struct point point = possible(layout);
        bool even = layout_window(&point) == layout_nodes(&point);
        for (uint64_t i = 0; even && i < layout_nodes(&point); i++)
            even = layout->offset(&point, 64, i) == i * point.spacing;
        CU_ASSERT_EQUAL(layout_is_even(layout), even);
        bool far = layout_spacing(layout, 4096, 4096, 64) >= 4096;
        CU_ASSERT_EQUAL(layout_shows_tlb(layout),
                        far && !layout->page_by_page && point.touches == 0);
    }
}

TEST(a_layout_counts_the_bytes_that_it_needs)
{
    struct point point = point_of("line", (uint64_t)1 << 60, 64);
    CU_ASSERT_EQUAL(layout_bytes(&point), 0); /* overflow */
    point = point_of("box", 8, 0);
    CU_ASSERT_EQUAL(layout_nodes(&point), 0);
}
