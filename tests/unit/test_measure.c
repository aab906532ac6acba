/* test_measure.c: what is around the hot loop: samples are whole, chains are as asked for, sizes
 * are checked. No time is judged. */
#include "clock.h"
#include "kernel.h"
#include "layout.h"
#include "measure.h"
#include "platform.h"
#include "tap.h"
#include <math.h>
#include <string.h>

static struct point point_of(const char *layout, const char *kernel, uint64_t pages,
                             uint64_t spacing)
{
    return (struct point){.pages = pages,
                          .spacing = spacing,
                          .page_bytes = platform_page_bytes(),
                          .layout = layout_find(layout, strlen(layout)),
                          .kernel = kernel_find(kernel, strlen(kernel)),
                          .backing = &backings[0]};
}

static struct sample measured(struct point point, uint64_t loads)
{
    struct rig_options options = {.core = core_pin(), .seed = 1, .line_bytes = 64, .loads = loads};
    struct sample sample;
    struct rig *rig = rig_open(&options);
    rig_measure(rig, &point, &sample);
    rig_close(rig);
    return sample;
}

static void a_sample_says_what_was_done(void)
{
    struct sample s = measured(point_of("page", "read", 50, platform_page_bytes()), 100000);
    CU_ASSERT_TRUE(s.ns > 0 && isfinite(s.ns));
    CU_ASSERT_TRUE(s.loads >= 100000 && s.loads < 100000 + 64);
    CU_ASSERT_TRUE(s.run_s > 0 && s.t_s >= 0);
    CU_ASSERT_EQUAL(s.point.pages, 50);
    CU_ASSERT_TRUE(isnan(s.sum));
}

static void every_layout_is_measured(void)
{
    struct point box = point_of("box", "read", 64, 256);
    box.buffer = 1 << 20;
    CU_ASSERT_TRUE(measured(box, 20000).ns > 0);
    CU_ASSERT_TRUE(measured(point_of("packed", "read", 1000, 64), 20000).ns > 0);
    CU_ASSERT_TRUE(measured(point_of("line", "read", 100, 8), 20000).ns > 0);
    CU_ASSERT_TRUE(measured(point_of("page", "read", 1, platform_page_bytes()), 20000).ns > 0);
}

/* The printed lab: memory filled with ones, so the sum is the number of references; 10 Mi
 * references in rounds of 3 pages leave one out. */
static void the_lab_counts_its_references(void)
{
    struct sample s = measured(point_of("line", "linear", 3, 64), 10485760);
    CU_ASSERT_EQUAL(s.sum, 10485759);
    CU_ASSERT_EQUAL(s.refs, 10485759);
    CU_ASSERT_TRUE(s.proc_s > 0);
    s = measured(point_of("line", "dummy", 3, 64), 10485760);
    CU_ASSERT_EQUAL(s.sum, 10485759);
    s = measured(point_of("line", "linear", 4096, platform_page_bytes()), 4096);
    CU_ASSERT_EQUAL(s.sum, s.refs);
}

static void chasing_after_the_lab_in_one_run(void)
{
    struct rig_options options = {.core = core_pin(), .seed = 1, .line_bytes = 64, .loads = 5000};
    struct point points[] = {point_of("line", "read", 16, 64), point_of("line", "linear", 16, 64)};
    struct sample s;
    struct rig *rig = rig_open(&options);
    rig_prepare(rig, points, 2);
    for (int i = 0; i < 4; i++)
        rig_measure(rig, &points[i % 2], &s);
    CU_ASSERT_EQUAL(s.sum, s.refs); /* the chain's pointers are not in the lab's memory */
    rig_close(rig);
}

static void growing_points_get_larger_buffers(void)
{
    struct rig_options options = {.core = core_pin(), .seed = 1, .line_bytes = 64, .loads = 5000};
    struct sample s;
    struct rig *rig = rig_open(&options);
    for (uint64_t pages = 1; pages <= 1024; pages *= 4) {
        struct point point = point_of("page", "read", pages, platform_page_bytes());
        rig_measure(rig, &point, &s);
        CU_ASSERT_TRUE(s.ns > 0);
    }
    for (uint64_t spacing = 8; spacing <= 8192; spacing *= 2) { /* more kinds than buffers */
        struct point point = point_of("line", "read", 64, spacing);
        rig_measure(rig, &point, &s);
        CU_ASSERT_TRUE(s.ns > 0);
    }
    rig_close(rig);
}

static void measure_too_much(void)
{
    measured(point_of("page", "read", (uint64_t)1 << 31, 4096), 1);
}

static void measure_beyond_64_bits(void)
{
    measured(point_of("line", "read", (uint64_t)1 << 31, (uint64_t)1 << 40), 1);
}

static void sizes_beyond_memory_are_refused(void)
{
    char output[512];
    CU_ASSERT_EQUAL(tap_fork(measure_too_much, "", output, sizeof output), 2);
    CU_ASSERT_PTR_NOT_NULL(strstr(output, "available"));
    CU_ASSERT_EQUAL(tap_fork(measure_beyond_64_bits, "", output, sizeof output), 2);
    CU_ASSERT_PTR_NOT_NULL(strstr(output, "address space"));
}

static void kernels_make_the_accesses_that_they_report(void)
{
    void *nodes[5];
    uint64_t end;
    for (int i = 0; i < 5; i++)
        nodes[i] = &nodes[(i + 1) % 5];
    struct kernel_work work = {.start = &nodes[0], .loads = 64};
    CU_ASSERT_EQUAL(kernels[0].run(&work, &end), 64);
    CU_ASSERT_EQUAL(end, (uint64_t)(uintptr_t)&nodes[64 % 5]);
    work.loads = 0;
    CU_ASSERT_TRUE(kernels[0].run(&work, &end) >= 1);
}

static void the_clock_knows_itself(void)
{
    struct clock_quality q = clock_quality();
    CU_ASSERT_TRUE(q.resolution_ns > 0 && q.overhead_ns > 0);
    CU_ASSERT_TRUE(clock_warm_up() >= 0);
}

int main(void)
{
    char why[PLATFORM_WHY_ROOM];
    TAP_SUITE("kernel",
              {"make the accesses that they report", kernels_make_the_accesses_that_they_report},
              {"the clock knows itself", the_clock_knows_itself});
    if (platform_can_measure(why))
        TAP_SUITE("measure", {"a sample says what was done", a_sample_says_what_was_done},
                  {"every layout is measured", every_layout_is_measured},
                  {"the lab counts its references", the_lab_counts_its_references},
                  {"chasing after the lab in one run", chasing_after_the_lab_in_one_run},
                  {"growing points get larger buffers", growing_points_get_larger_buffers},
                  {"sizes beyond memory are refused", sizes_beyond_memory_are_refused});
    return tap_run();
}
