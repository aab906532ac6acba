/* test_density.c: the whitepaper's schedule: grids, passes, what is missing, and the refinement.
 *
 *     bin/.obj/plain/tests/tlb/plan/test_density
 */
#include "access/kernel.h"
#include "access/layout.h"
#include "tap.h"
#include "tlb/plan/plan.h"
#include <stdlib.h>
#include <string.h>

#define KIB UINT64_C(1024)
#define MIB (KIB * 1024)

enum { LOW, MEDIUM, HIGH };

static struct plan_options options_of(int density)
{
    return (struct plan_options){.kind = PLAN_DENSITY,
                                 .kernel = &kernels[KERNEL_READ],
                                 .backing = backings,
                                 .density = &densities[density],
                                 .spacing = DENSITY_STRIDE,
                                 .buffer_bytes = 1024 * MIB,
                                 .page_bytes = 16 * KIB,
                                 .l1d_bytes = 128 * KIB,
                                 .samples = 3,
                                 .chain = CHAIN_SAME_RANDOM_IN_BOX};
}

/* The grid in KiB as text, for comparison. */
static const char *grid_of(const struct plan_options *options)
{
    static char text[512];
    struct series none;
    struct point *points;
    series_init(&none);
    size_t count = plan_next(options, &none, &points), used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < count; i++)
        if (points[i].sample == 0 && points[i].role == ROLE_SWEEP)
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%.6g", i > 0 ? " " : "",
                                     (double)(points[i].pages * points[i].spacing) / 1024);
    free(points);
    series_free(&none);
    return text;
}

TEST(has_grids_of_15_and_29_windows)
{
    struct plan_options options = options_of(LOW);
    const char
        *coarse = "16 64 128 256 512 1024 2048 4096 8192 12288 16384 32768 65536 131072 262144";
    CU_ASSERT_STRING_EQUAL(grid_of(&options), coarse);
    options.density = &densities[MEDIUM];
    CU_ASSERT_STRING_EQUAL(grid_of(&options), coarse);
    options.density = &densities[HIGH];
    CU_ASSERT_STRING_EQUAL(grid_of(&options),
                           "16 32 64 96 128 192 256 384 512 768 1024 1536 2048 3072 4096 6144 8192 "
                           "10240 12288 14336 16384 24576 32768 49152 65536 98304 131072 196608 "
                           "262144");
}

TEST(starts_at_16_KiB_or_twice_the_stride)
{
    struct plan_options options = options_of(LOW);
    options.spacing = 8 * KIB; /* twice that is 16 KiB */
    CU_ASSERT_EQUAL(strncmp(grid_of(&options), "16 64 128 ", 10), 0);
    options.spacing = 10 * KIB;
    CU_ASSERT_EQUAL(strncmp(grid_of(&options), "20 60 120 ", 10), 0);
    options.spacing = 32 * KIB; /* the start is one of the grid: once only */
    CU_ASSERT_EQUAL(strncmp(grid_of(&options), "64 128 256 ", 11), 0);
    options.spacing = 64 * KIB; /* 16 and 64 are skipped */
    CU_ASSERT_EQUAL(strncmp(grid_of(&options), "128 256 512 ", 12), 0);
    options.spacing = 48 * KIB;
    CU_ASSERT_EQUAL(strncmp(grid_of(&options), "96 240 480 ", 11), 0);
}

TEST(stays_within_the_buffer)
{
    struct plan_options options = options_of(LOW);
    options.buffer_bytes = MIB;
    CU_ASSERT_STRING_EQUAL(grid_of(&options), "16 64 128 256 512 1024");
    options.buffer_bytes = MIB - 1;
    CU_ASSERT_STRING_EQUAL(grid_of(&options), "16 64 128 256 512");
    options.buffer_bytes = 8 * KIB;
    CU_ASSERT_STRING_EQUAL(grid_of(&options), "");
}

/* A curve with steps at two sizes, or fewer, made of the first `most` of the points. */
static void measure_steps(struct series *series, const struct point *points, size_t most,
                          uint64_t first, uint64_t second)
{
    for (size_t i = 0; i < most; i++) {
        uint64_t bytes = points[i].pages * points[i].spacing;
        struct sample sample = {.point = points[i]};
        sample.ns = bytes < first ? 1 : bytes < second ? 6 : 20;
        series_add(series, &sample);
    }
}

static void measure(struct series *series, const struct point *points, size_t most)
{
    measure_steps(series, points, most, 4 * MIB, 64 * MIB);
}

TEST(takes_pass_after_pass)
{
    struct plan_options options = options_of(LOW);
    struct series series;
    struct point *points;
    series_init(&series);
    size_t count = plan_next(&options, &series, &points);
    CU_ASSERT_EQUAL_FATAL(count, 3 * 16);
    for (size_t i = 0; i < count; i++) {
        CU_ASSERT_EQUAL(points[i].sample, i / 16); /* pass after pass */
        CU_ASSERT_EQUAL(points[i].pages, points[i % 16].pages);
        CU_ASSERT_EQUAL(points[i].role, i % 16 == 15 ? ROLE_COMPARISON : ROLE_SWEEP);
        CU_ASSERT_EQUAL(points[i].layout, &layouts[LAYOUT_BOX]);
        CU_ASSERT_EQUAL(points[i].kernel, &kernels[KERNEL_READ]);
        CU_ASSERT_EQUAL(points[i].spacing, 256);
        CU_ASSERT_EQUAL(points[i].page_bytes, 16 * KIB);
        CU_ASSERT_EQUAL(points[i].buffer, 1024 * MIB);
        CU_ASSERT_EQUAL(points[i].chain, CHAIN_SAME_RANDOM_IN_BOX);
    }
    CU_ASSERT_EQUAL(points[0].pages, 16 * KIB / 256);
    CU_ASSERT_EQUAL(points[14].pages, 256 * MIB / 256);
    CU_ASSERT_EQUAL(points[15].pages, 512 * MIB / 256);
    measure(&series, points, count);
    free(points);
    CU_ASSERT_EQUAL(plan_next(&options, &series, &points), 0); /* low: no refinement */
    CU_ASSERT_PTR_NULL(points);
    series_free(&series);
}

TEST(compares_with_512_MiB_where_it_can)
{
    struct plan_options options = options_of(LOW);
    struct series series;
    struct point *points;
    series_init(&series);
    options.samples = 1;
    options.buffer_bytes = 512 * MIB;
    CU_ASSERT_EQUAL(plan_next(&options, &series, &points), 16);
    free(points);
    options.buffer_bytes = 512 * MIB - 1;
    CU_ASSERT_EQUAL(plan_next(&options, &series, &points), 15);
    free(points);
    options.buffer_bytes = 4096 * MIB; /* two nodes do not fit in the comparison's window */
    options.spacing = 300 * MIB;
    CU_ASSERT_EQUAL_FATAL(plan_next(&options, &series, &points), 1);
    CU_ASSERT_EQUAL(points[0].pages, 2);
    free(points);
    options.spacing = 200 * MIB; /* a grid of one window, and space for two more nodes */
    CU_ASSERT_EQUAL_FATAL(plan_next(&options, &series, &points), 2);
    CU_ASSERT_EQUAL(points[1].role, ROLE_COMPARISON);
    free(points);
    series_free(&series);
}

/* After an interruption what is missing is planned, pass after pass. */
TEST(goes_on_where_it_stopped)
{
    struct plan_options options = options_of(LOW);
    struct series series;
    struct point *points, *rest;
    series_init(&series);
    size_t count = plan_next(&options, &series, &points);
    measure(&series, points, 20); /* a whole pass and four points of the next */
    size_t left = plan_next(&options, &series, &rest);
    CU_ASSERT_EQUAL_FATAL(left, count - 20);
    for (size_t i = 0; i < left; i++) {
        size_t k = i < 16 ? i : i - 12;
        CU_ASSERT_EQUAL(rest[i].pages, points[k].pages);
        CU_ASSERT_EQUAL(rest[i].sample, i < 4 || i >= 16 ? 2 : 1);
        CU_ASSERT_EQUAL(rest[i].role, points[k].role);
    }
    free(rest);
    free(points);
    series_free(&series);
}

/* Measures until nothing is missing, `most` points at a time; returns the refined windows in KiB,
 * those of the first refined sample of each. */
static const char *refined(int density, size_t most, size_t *batches)
{
    static char text[512];
    struct plan_options options = options_of(density);
    struct series series;
    struct point *points;
    size_t count, used = 0;
    series_init(&series);
    text[0] = '\0';
    for (*batches = 0; (count = plan_next(&options, &series, &points)) > 0; ++*batches) {
        if (most > 0 && count > most)
            count = most;
        for (size_t i = 0; i < count; i++)
            if (points[i].role == ROLE_REFINE && points[i].sample == 0)
                used += (size_t)snprintf(text + used, sizeof text - used, "%g ",
                                         (double)points[i].pages * 256 / 1024);
        measure(&series, points, count);
        free(points);
    }
    series_free(&series);
    return text;
}

TEST(refines_around_what_was_found_once)
{
    size_t batches;
    /* 3 to 6 MiB, and 48 to 96 MiB, in eighths: from the window before the boundary to that after
     */
    const char *fine = "3456 3840 4224 4608 4992 5376 5760 "
                       "55296 61440 67584 73728 79872 86016 92160 ";
    CU_ASSERT_STRING_EQUAL(refined(HIGH, 0, &batches), fine);
    CU_ASSERT_EQUAL(batches, 2); /* once only, though the answer is finer now */
    CU_ASSERT_STRING_EQUAL(refined(HIGH, 7, &batches), fine); /* cut anywhere */
    CU_ASSERT(batches > 12);
    CU_ASSERT_STRING_EQUAL(refined(MEDIUM, 0, &batches),
                           "2816 3584 4352 5120 5888 6656 7424 "
                           "45056 57344 69632 81920 94208 106496 118784 ");
    CU_ASSERT_STRING_EQUAL(refined(LOW, 0, &batches), "");
}

/* The private-cache knee is refined too, and points that two intervals share or that the grid has
 * are taken once. */
TEST(takes_shared_points_once)
{
    struct plan_options options = options_of(HIGH);
    struct series series;
    struct point *points;
    options.spacing = 128 * KIB; /* 768 to 1536 KiB: eighths of 96 KiB, rounded down to 128 */
    options.samples = 1;
    series_init(&series);
    size_t count = plan_next(&options, &series, &points);
    measure_steps(&series, points, count, MIB, UINT64_MAX);
    free(points);
    CU_ASSERT_EQUAL_FATAL(plan_next(&options, &series, &points), 4);
    for (size_t i = 0; i < 4; i++)
        CU_ASSERT_EQUAL(points[i].pages, i == 0 ? 7 : 8 + i);
    CU_ASSERT_EQUAL(points[0].role, ROLE_REFINE);
    free(points);
    series_free(&series);
}

/* A boundary at the last window has none after it: the interval ends there. */
TEST(refines_up_to_the_last_window)
{
    struct plan_options options = options_of(HIGH);
    struct series series;
    struct point *points;
    options.samples = 1;
    series_init(&series);
    size_t count = plan_next(&options, &series, &points);
    measure_steps(&series, points, count, 256 * MIB, UINT64_MAX);
    free(points);
    CU_ASSERT_EQUAL_FATAL(plan_next(&options, &series, &points), 7);
    for (size_t i = 0; i < 7; i++)
        CU_ASSERT_EQUAL(points[i].pages, (192 + 8 * (i + 1)) * MIB / 256);
    free(points);
    series_free(&series);
}

TEST(has_nothing_to_refine_on_a_flat_curve)
{
    struct plan_options options = options_of(HIGH);
    struct series series;
    struct point *points;
    series_init(&series);
    size_t count = plan_next(&options, &series, &points);
    measure_steps(&series, points, count, UINT64_MAX, UINT64_MAX);
    free(points);
    CU_ASSERT_EQUAL(plan_next(&options, &series, &points), 0);
    options.samples = 4; /* one more of each */
    CU_ASSERT_EQUAL_FATAL(plan_next(&options, &series, &points), 30);
    CU_ASSERT_EQUAL(points[0].sample, 3);
    free(points);
    options.spacing = options.buffer_bytes;
    CU_ASSERT_EQUAL(plan_next(&options, &series, &points), 0);
    series_free(&series);
}
