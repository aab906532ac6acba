/* test_measure.c: what is around the hot loop: samples are whole, chains are as asked for, sizes
 * are checked. No time is judged. */
#include "access/kernel.h"
#include "access/layout.h"
#include "measure/clock.h"
#include "measure/measure.h"
#include "measure/mistake.h"
#include "named.h"
#include "platform.h"
#include "tap.h"
#include <math.h>
#include <string.h>

static bool can_measure(void)
{
    char why[PLATFORM_WHY_ROOM];
    return platform_can_measure(why);
}

static struct point point_for(const char *layout, const char *kernel, uint64_t pages,
                              uint64_t spacing)
{
    struct point point = point_of(layout, pages, spacing);
    point.page_bytes = platform_page_bytes();
    point.kernel = kernel_named(kernel);
    return point;
}

static struct sample measured(struct point point, uint64_t loads)
{
    struct rig_options options = {
        .core = core_pin(), .memory = {.seed = 1, .line_bytes = 64}, .loads = loads};
    struct sample sample;
    struct rig *rig = rig_open(&options);
    rig_measure(rig, &point, &sample);
    rig_close(rig);
    return sample;
}

TEST_IF(can_measure(), a_sample_says_what_was_done)
{
    struct sample s = measured(point_for("page", "read", 50, platform_page_bytes()), 100000);
    CU_ASSERT_TRUE(s.ns > 0 && isfinite(s.ns));
    CU_ASSERT_TRUE(s.loads >= 100000 && fmod(s.loads, 50 * s.runs) == 0); /* whole laps each */
    CU_ASSERT_TRUE(s.runs >= 7 && s.min_ns > 0 && s.min_ns <= s.ns);
    CU_ASSERT_TRUE(s.run_s > 0 && s.t_s >= 0);
    CU_ASSERT_EQUAL(s.point.pages, 50);
    CU_ASSERT_TRUE(isnan(s.sum));
}

TEST_IF(can_measure(), every_layout_is_measured)
{
    struct point box = point_for("box", "read", 64, 256);
    box.buffer = 1 << 20;
    CU_ASSERT_TRUE(measured(box, 20000).ns > 0);
    CU_ASSERT_TRUE(measured(point_for("packed", "read", 1000, 64), 20000).ns > 0);
    CU_ASSERT_TRUE(measured(point_for("line", "read", 100, 8), 20000).ns > 0);
    CU_ASSERT_TRUE(measured(point_for("page", "read", 1, platform_page_bytes()), 20000).ns > 0);
}

static struct point with(struct point point, const char *backing, uint64_t page_bytes)
{
    point.backing = backing_named(backing);
    point.page_bytes = page_bytes;
    return point;
}

static struct point set_of(const char *kernel, uint64_t targets, uint64_t others, uint64_t apart)
{
    uint64_t page = platform_page_bytes();
    struct point point = point_for("set", kernel, targets + others, apart * page);
    point.targets = targets;
    point.others = others;
    return point;
}

/* More targets need more bytes, more others a larger window, and samples move both. */
TEST_IF(can_measure(), sets_of_all_sizes_share_a_buffer)
{
    struct rig_options options = {
        .core = core_pin(), .memory = {.seed = 1, .line_bytes = 64}, .loads = 5000};
    static const uint64_t sizes[][2] = {{1, 0}, {8, 100}, {24, 10}, {2, 500}, {24, 500}};
    struct sample s;
    struct rig *rig = rig_open(&options);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (uint64_t apart = sizes[i][1] > 0 ? 64 : 1; apart <= 4096; apart *= 64) {
            struct point point = set_of("read", sizes[i][0], sizes[i][1], apart);
            for (point.sample = 0; point.sample < 3; point.sample++) {
                rig_measure(rig, &point, &s);
                CU_ASSERT_TRUE(s.ns > 0 && s.faults < 5); /* all was touched before */
            }
        }
    rig_close(rig);
}

/* A page of data and three of tables for each, in half of the address space. */
TEST_IF(can_measure(), pages_may_lie_far_apart)
{
    uint64_t far = platform_address_space() / 2 / 64;
    struct sample s = measured(point_for("page", "read", 64, far - far % platform_page_bytes()),
                               100);
    CU_ASSERT_TRUE(s.ns > 0);
}

TEST_IF(can_measure(), every_backing_is_measured)
{
    uint64_t page = platform_page_bytes(), huge = platform_huge_bytes();
    struct platform_outcome result;
    CU_ASSERT_TRUE(
        measured(with(point_for("page", "read", 600, page), "contiguous", page), 5000).ns > 0);
    CU_ASSERT_TRUE(measured(with(point_for("packed", "read", 9, 64), "contiguous", page), 5000).ns >
                   0);
    CU_ASSERT_TRUE(measured(with(set_of("read", 4, 20, 64), "contiguous", page), 5000).ns > 0);
    if (huge == 0 || huge > 4 << 20) /* else memory might not do */
        return;
    char *memory = platform_map_huge(huge, 0, huge, 1, &result);
    if (memory == NULL)
        return;
    platform_unmap(memory, huge);
    CU_ASSERT_TRUE(measured(with(point_for("page", "read", 4, huge), "huge", huge), 5000).ns > 0);
    CU_ASSERT_TRUE(measured(with(point_for("page", "read", 600, page), "huge", huge), 5000).ns > 0);
    CU_ASSERT_TRUE(measured(with(point_for("packed", "code", 9, 64), "huge", huge), 5000).ns > 0);
}

TEST_IF(can_measure(), a_chain_of_code_is_measured)
{
    struct point box = point_for("box", "code", 64, 256);
    uint64_t page = platform_page_bytes();
    if (box.kernel->unavailable != NULL)
        return;
    box.buffer = 1 << 18;
    CU_ASSERT_TRUE(measured(box, 20000).ns > 0);
    CU_ASSERT_TRUE(measured(point_for("packed", "code", 1000, 64), 20000).ns > 0);
    CU_ASSERT_TRUE(measured(point_for("line", "code", 100, 32), 20000).ns > 0);
    CU_ASSERT_TRUE(measured(set_of("code", 8, 50, 64), 20000).ns > 0);
    struct sample s = measured(point_for("page", "code", 50, page), 100000);
    CU_ASSERT_TRUE(s.loads >= 100000 && s.loads < 100000 + 65536);
    s = measured(with(point_for("page", "code", 50, page), "contiguous", page), 20000);
    CU_ASSERT_TRUE(s.ns > 0 && isnan(s.sum));
}

/* The printed lab: memory filled with ones, so the sum is the number of references; 10 Mi
 * references in rounds of 3 pages leave one out. */
TEST_IF(can_measure(), the_lab_counts_its_references)
{
    struct sample s = measured(point_for("line", "linear", 3, 64), 10485760);
    CU_ASSERT_EQUAL(s.sum, 10485759);
    CU_ASSERT_EQUAL(s.refs, 10485759);
    CU_ASSERT_TRUE(s.proc_s > 0);
    s = measured(point_for("line", "dummy", 3, 64), 10485760);
    CU_ASSERT_EQUAL(s.sum, 10485759);
    s = measured(point_for("line", "linear", 4096, platform_page_bytes()), 4096);
    CU_ASSERT_EQUAL(s.sum, s.refs);
}

TEST_IF(can_measure(), chasing_after_the_lab_in_one_run)
{
    struct rig_options options = {
        .core = core_pin(), .memory = {.seed = 1, .line_bytes = 64}, .loads = 5000};
    struct point points[] = {point_for("line", "read", 16, 64),
                             point_for("line", "linear", 16, 64)};
    struct sample s;
    struct rig *rig = rig_open(&options);
    rig_prepare(rig, points, 2);
    for (int i = 0; i < 4; i++)
        rig_measure(rig, &points[i % 2], &s);
    CU_ASSERT_EQUAL(s.sum, s.refs); /* the chain's pointers are not in the lab's memory */
    rig_close(rig);
}

TEST_IF(can_measure(), growing_points_get_larger_buffers)
{
    struct rig_options options = {
        .core = core_pin(), .memory = {.seed = 1, .line_bytes = 64}, .loads = 5000};
    struct sample s;
    struct rig *rig = rig_open(&options);
    for (uint64_t pages = 1; pages <= 1024; pages *= 4) {
        struct point point = point_for("page", "read", pages, platform_page_bytes());
        rig_measure(rig, &point, &s);
        CU_ASSERT_TRUE(s.ns > 0);
    }
    for (uint64_t spacing = 8; spacing <= 800; spacing += 8) { /* more kinds than buffers */
        struct point point = point_for("line", "read", 64, spacing);
        rig_measure(rig, &point, &s);
        CU_ASSERT_TRUE(s.ns > 0);
    }
    rig_close(rig);
}

static void measure_too_much(void)
{
    measured(point_for("page", "read", (uint64_t)1 << 31, 4096), 1);
}

static void measure_beyond_64_bits(void)
{
    measured(point_for("line", "read", (uint64_t)1 << 31, (uint64_t)1 << 40), 1);
}

static void measure_too_far(void)
{
    measured(point_for("page", "read", 4, (uint64_t)1 << 46), 1);
}

static void measure_code_too_close(void)
{
    measured(point_for("line", "code", 4, 8), 1);
}

static void measure_no_such_page(void)
{
    measured(with(point_for("page", "read", 4, 4 << 17), "huge", 1 << 17), 1);
}

TEST_IF(can_measure(), sizes_beyond_memory_are_refused)
{
    CU_ASSERT_TRUE(tap_refuses(measure_too_much, "", "available"));
    CU_ASSERT_TRUE(tap_refuses(measure_beyond_64_bits, "", "address space"));
    CU_ASSERT_TRUE(tap_refuses(measure_too_far, "", "GiB of address space"));
}

TEST_IF(can_measure(), what_cannot_be_measured_is_refused)
{
    CU_ASSERT_TRUE(
        tap_refuses(measure_no_such_page, "", "the system provides no pages of 128 KiB: "));
    CU_ASSERT_TRUE(tap_refuses(measure_code_too_close, "", "spacing 8: nodes are code"));
}

TEST(make_the_accesses_that_they_report)
{
    void *nodes[5];
    uint64_t end[KERNEL_CHAINS];
    for (int i = 0; i < 5; i++)
        nodes[i] = &nodes[(i + 1) % 5];
    struct kernel_work work = {.start = {&nodes[0]}, .loads = 64};
    CU_ASSERT_EQUAL(kernels[KERNEL_READ].run(&work, end), 64);
    CU_ASSERT_EQUAL(end[0], (uint64_t)(uintptr_t)&nodes[64 % 5]);
    work.loads = 0;
    CU_ASSERT_TRUE(kernels[KERNEL_READ].run(&work, end) >= 1);
}

/* Every chain goes round its own nodes, as often as the others. */
TEST(several_chains_go_on_their_own)
{
    static void *nodes[KERNEL_CHAINS][3];
    for (uint64_t chains = 2; chains <= KERNEL_CHAINS; chains++) {
        struct kernel_work work = {.loads = 1000};
        uint64_t end[KERNEL_CHAINS] = {0};
        for (uint64_t c = 0; c < chains; c++) {
            for (int i = 0; i < 3; i++)
                nodes[c][i] = &nodes[c][(i + 1) % 3];
            work.start[c] = &nodes[c][c % 3];
        }
        uint64_t loads = kernel_loop_of(&kernels[KERNEL_READ], chains)(&work, end);
        CU_ASSERT_TRUE(loads >= 1000 && loads < 1000 + chains && loads % chains == 0);
        for (uint64_t c = 0; c < chains; c++)
            CU_ASSERT_EQUAL(end[c], (uint64_t)(uintptr_t)&nodes[c][(c + loads / chains) % 3]);
    }
    CU_ASSERT_PTR_EQUAL(kernel_loop_of(&kernels[KERNEL_READ], 0), kernels[KERNEL_READ].run);
    CU_ASSERT_PTR_NULL(kernel_loop_of(&kernels[KERNEL_READ], KERNEL_CHAINS + 1));
    CU_ASSERT_PTR_NULL(kernel_loop_of(&kernels[KERNEL_WRITE], 2));
}

TEST(writing_stores_to_every_node)
{
    void *nodes[5][2] = {{NULL}};
    uint64_t end[KERNEL_CHAINS];
    for (int i = 0; i < 5; i++)
        nodes[i][0] = &nodes[(i + 2) % 5];
    struct kernel_work work = {.start = {nodes[0]}, .loads = 64};
    CU_ASSERT_EQUAL(kernels[KERNEL_WRITE].run(&work, end), 64);
    CU_ASSERT_EQUAL(end[0], (uint64_t)(uintptr_t)&nodes[2 * 64 % 5]);
    for (int i = 0; i < 5; i++) {
        CU_ASSERT_PTR_EQUAL(nodes[i][0], &nodes[(i + 2) % 5]);
        CU_ASSERT_PTR_EQUAL(nodes[i][1], &nodes[i]);
    }
}

TEST_IF(can_measure(), chains_and_stores_are_measured)
{
    struct point point = point_for("line", "read", 1000, 64);
    for (point.chains = 2; point.chains <= KERNEL_CHAINS; point.chains++) {
        struct sample s = measured(point, 20000);
        CU_ASSERT_TRUE(s.ns > 0 && s.loads >= 20000 && s.point.chains == point.chains);
    }
    point = point_for("packed", "read", 5, 64);
    point.chains = 5; /* a node each */
    CU_ASSERT_TRUE(measured(point, 20000).ns > 0);
    CU_ASSERT_TRUE(measured(point_for("line", "write", 1000, 16), 20000).ns > 0);
    CU_ASSERT_TRUE(measured(set_of("write", 8, 50, 64), 20000).ns > 0);
}

/* The count is that of the mistake, and no fewer nodes were visited than asked for. */
TEST_IF(can_measure(), every_mistake_is_measured)
{
    for (const struct mistake *mistake = mistakes; mistake->name != NULL; mistake++) {
        const char *kernel = mistake->kernel != NULL ? mistake->kernel->name : "read";
        struct point point = point_for("line", kernel, 500, 64);
        struct rig_options options = {.core = core_pin(),
                                      .mistake = mistake,
                                      .memory = {.seed = 1, .line_bytes = 64},
                                      .loads = 5000};
        struct sample s;
        struct rig *rig = rig_open(&options);
        for (point.sample = 0; point.sample < 3; point.sample++) {
            rig_measure(rig, &point, &s);
            CU_ASSERT_TRUE(s.ns > 0 && s.loads >= 5000);
        }
        rig_close(rig);
    }
}

TEST(the_clock_knows_itself)
{
    struct clock_quality q = clock_quality();
    CU_ASSERT_TRUE(q.resolution_ns > 0 && q.overhead_ns > 0);
    CU_ASSERT_TRUE(clock_warm_up() >= 0);
    CU_ASSERT_TRUE(clock_ghz() > 0.01 && isfinite(clock_ghz()));
}
