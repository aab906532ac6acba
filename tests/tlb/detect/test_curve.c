/* test_curve.c: values and errors of curves, from samples that are few and known. */
#include "machine.h"
#include "tap.h"
#include "tlb/curve/curve.h"
#include <math.h>

enum { SAMPLES = 9 };

static struct series series;

/* Nine samples, evenly spread around a time by so much of it. */
static void add(struct point point, double ns, double spread)
{
    for (point.sample = 0; point.sample < SAMPLES; point.sample++) {
        double off = (double)(int)(point.sample * 4 % SAMPLES) - 4; /* -4 to 4, in some order */
        struct sample s = {.point = point, .ns = ns * (1 + spread * off / 4)};
        series_add(&series, &s);
    }
}

/* Two sizes, the second of which is the faster, with samples of 8 and 6 ns and others that are
 * slower; `packed` takes 1 ns. */
TEST(the_control_is_the_fastest_lap_at_a_size_or_a_larger_one)
{
    struct point page = point_of("page", 600, MACHINE_PAGE);
    series_init(&series);
    for (uint64_t i = 0; i < 12; i++) {
        double slower = (double)(i % 6) / 10;
        struct sample s = {.point = page, .ns = 9, .min_ns = (i < 6 ? 8 : 6) + slower};
        s.point.pages += 100 * (i / 6);
        s.point.sample = i % 6;
        series_add(&series, &s);
        s.point.layout = &layouts[LAYOUT_PACKED];
        s.point.spacing = MACHINE_LINE;
        s.ns = s.min_ns = 1;
        series_add(&series, &s);
    }
    series_sort(&series);
    struct curve c = curve_control(&series, &page);
    CU_ASSERT_EQUAL_FATAL(c.count, 2);
    for (size_t i = 0; i < 2; i++) {
        CU_ASSERT_DOUBLE_EQUAL(c.at[i].ns, 6 - 1, 1e-9);
        CU_ASSERT_DOUBLE_EQUAL(c.at[i].load_ns, 6, 1e-9);
        CU_ASSERT_DOUBLE_EQUAL(c.at[i].error, 0.1, 1e-9); /* to the next lap of 700 pages */
        CU_ASSERT_EQUAL(c.at[i].samples, 6);
    }
    curve_free(&c);
    series_free(&series);
}

/* Of a like point, or, where there is none, of the first. */
TEST(packed_is_that_of_the_same_kernel_and_if_there_is_of_the_same_backing)
{
    struct point page = point_of("page", 10, MACHINE_PAGE),
                 packed = point_of("packed", 10, MACHINE_LINE);
    series_init(&series);
    packed.kernel = &kernels[KERNEL_CODE];
    add(packed, 1, 0);
    series_sort(&series);
    CU_ASSERT_PTR_NULL(curve_packed(&series, &page));
    packed.kernel = &kernels[KERNEL_READ];
    add(packed, 1, 0);
    packed.backing = &backings[BACKING_CONTIGUOUS];
    add(packed, 1, 0);
    series_sort(&series);
    const struct point *found = curve_packed(&series, &page);
    CU_ASSERT_PTR_NOT_NULL_FATAL(found);
    CU_ASSERT_TRUE(found->kernel == page.kernel && found->backing == page.backing);
    page.backing = &backings[BACKING_CONTIGUOUS];
    CU_ASSERT_PTR_EQUAL(curve_packed(&series, &page)->backing, page.backing);
    page.backing = &backings[BACKING_HUGE];
    CU_ASSERT_PTR_NOT_NULL(curve_packed(&series, &page));
    series_free(&series);
}

/* A quarter of the samples is slower by half; and one size altogether. */
TEST(a_curve_alone_is_the_fastest_lap_of_a_size_or_a_larger_one)
{
    struct point p = point_of("packed", 10, MACHINE_LINE);
    series_init(&series);
    for (p.pages = 10; p.pages < 15; p.pages++)
        for (p.sample = 0; p.sample < 16; p.sample++) {
            double late = p.sample % 4 == 0 || p.pages == 12 ? 0.5 : 0;
            struct sample s = {.point = p, .ns = 1 + 0.001 * (double)(p.sample % 3) + late};
            series_add(&series, &s);
        }
    series_sort(&series);
    struct curve c = curve_alone(&series, &p), minima = curve_minima(&series, &p);
    CU_ASSERT_TRUE_FATAL(c.count == 5 && minima.count == 5);
    for (size_t i = 0; i < 5; i++) {
        CU_ASSERT_EQUAL(c.at[i].ns, 1);
        CU_ASSERT_EQUAL(minima.at[i].ns, i == 2 ? 1.5 : 1);
    }
    curve_free(&c);
    curve_free(&minima);
    series_free(&series);
    c = curve_alone(&series, NULL);
    CU_ASSERT_EQUAL(c.count, 0);
    curve_free(&c);
}

/* 4 to 2003 nodes, each measured once: 4 to 203 stay, as their neighbours are further than 0.5 %.
 */
TEST(of_very_many_sizes_near_ones_are_left_out)
{
    struct point p = point_of("packed", 4, MACHINE_LINE);
    series_init(&series);
    for (; p.pages < 2004; p.pages++) {
        struct sample s = {.point = p, .ns = (double)p.pages};
        series_add(&series, &s);
    }
    series_sort(&series);
    struct curve c = curve_minima(&series, &p);
    CU_ASSERT_TRUE_FATAL(c.count > 500 && c.count < 800);
    CU_ASSERT_EQUAL(c.at[195].pages, 199);
    for (size_t i = 0; i < c.count; i++) {
        CU_ASSERT_EQUAL(c.at[i].ns, c.at[i].pages);
        CU_ASSERT_TRUE(i == 0 || c.at[i].pages > c.at[i - 1].pages);
    }
    curve_free(&c);
    series_free(&series);
}

/* By chance it may have fitted into a level that its chain overflows. */
TEST(the_fastest_of_eight_samples_of_a_short_chain_is_left_out)
{
    static const struct {
        uint64_t pages, samples;
        double ns;
    } cases[] = {{512, 8, 2}, {512, 7, 1}, {513, 8, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct point p = point_of("packed", cases[i].pages, MACHINE_LINE);
        series_init(&series);
        for (; p.sample < cases[i].samples; p.sample++) {
            struct sample s = {.point = p, .ns = p.sample == 3 ? 1 : 2};
            series_add(&series, &s);
        }
        series_sort(&series);
        struct curve c = curve_minima(&series, &p);
        CU_ASSERT_EQUAL_FATAL(c.count, 1);
        CU_ASSERT_EQUAL(c.at[0].ns, cases[i].ns);
        curve_free(&c);
        series_free(&series);
    }
}

/* `pair` does not; `line` does it better than `packed`. */
TEST(the_line_is_of_the_layout_that_shows_caches_best)
{
    series_init(&series);
    add(point_of("pair", 10, MACHINE_LINE), 1, 0);
    series_sort(&series);
    CU_ASSERT_PTR_NULL(curve_line(&series));
    add(point_of("packed", 10, MACHINE_LINE), 1, 0);
    add(point_of("line", 10, MACHINE_LINE), 1, 0);
    series_sort(&series);
    const struct point *found = curve_line(&series);
    CU_ASSERT_PTR_NOT_NULL_FATAL(found);
    CU_ASSERT_PTR_EQUAL(found->layout, &layouts[LAYOUT_LINE]);
    series_free(&series);
}
