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

static void the_control_is_the_median_difference_and_the_load_beside_it(void)
{
    struct point page = point_of("page", 10, MACHINE_PAGE);
    series_init(&series);
    add(page, 3, 0.01);
    add(point_of("packed", 10, MACHINE_LINE), 1, 0);
    series_sort(&series);
    struct curve c = curve_control(&series, &page);
    CU_ASSERT_EQUAL_FATAL(c.count, 1);
    CU_ASSERT_DOUBLE_EQUAL(c.at[0].ns, 2, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(c.at[0].load_ns, 3, 0.02);
    CU_ASSERT_EQUAL(c.at[0].samples, SAMPLES);
    curve_free(&c);
    series_free(&series);
}

static void samples_that_agree_by_chance_have_the_spread_of_the_others(void)
{
    struct point page = point_of("page", 10, MACHINE_PAGE);
    static const double spread[] = {0, 0.01, 0.01, 0.01, 0};
    series_init(&series);
    for (uint64_t i = 0; i < 5; i++) {
        add(point_of("page", 10 + i, MACHINE_PAGE), 3, spread[i]);
        add(point_of("packed", 10 + i, MACHINE_LINE), 1, 0);
    }
    series_sort(&series);
    struct curve c = curve_control(&series, &page);
    CU_ASSERT_EQUAL_FATAL(c.count, 5);
    for (size_t i = 0; i < 5; i++) {
        CU_ASSERT_TRUE(c.at[i].error > 0.003 && c.at[i].error < 0.03);
        CU_ASSERT_DOUBLE_EQUAL(c.at[i].error, c.at[2].error, 0.2 * c.at[2].error);
    }
    curve_free(&c);
    series_free(&series);
}

/* Two sizes of a kernel, the second of which is the faster: what the first is said to take. */
static double value_before_a_faster_one(int kernel)
{
    struct point page = point_of("page", 600, MACHINE_PAGE);
    page.kernel = &kernels[kernel];
    series_init(&series);
    for (uint64_t i = 0; i < 12; i++) {
        struct sample s = {.point = page, .ns = 9, .min_ns = i < 6 ? 8 : 6};
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
    double ns = c.at[0].ns;
    curve_free(&c);
    series_free(&series);
    return ns;
}

static void a_clean_curve_falls_for_jumps_alone(void)
{
    CU_ASSERT_DOUBLE_EQUAL(value_before_a_faster_one(KERNEL_READ), 6 - 1, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(value_before_a_faster_one(KERNEL_CODE), 8 - 1, 1e-9);
}

/* The clock slows by a hundredth from sample to sample; `page` lacks the first two samples and
 * `packed` the last two. */
static void samples_of_the_same_number_are_compared(void)
{
    struct point page = point_of("page", 10, MACHINE_PAGE);
    series_init(&series);
    for (uint64_t sample = 0; sample < SAMPLES; sample++) {
        double slow = 1 + (double)sample / 100;
        struct sample packed = {.point = point_of("packed", 10, MACHINE_LINE), .ns = slow};
        packed.point.sample = page.sample = sample;
        if (sample < SAMPLES - 2)
            series_add(&series, &packed);
        if (sample >= 2)
            series_add(&series, &(struct sample){.point = page, .ns = 3 * slow});
    }
    series_sort(&series);
    struct curve c = curve_control(&series, &page);
    CU_ASSERT_EQUAL_FATAL(c.count, 1);
    CU_ASSERT_EQUAL(c.at[0].samples, SAMPLES - 4);
    CU_ASSERT_DOUBLE_EQUAL(c.at[0].ns, 2 * 1.04, 1e-9);
    curve_free(&c);
    series_free(&series);
}

/* Of a like point, or, where there is none, of the first. */
static void packed_is_that_of_the_same_kernel_and_if_there_is_of_the_same_backing(void)
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

/* A quarter of the samples is slower by half. */
static void where_noise_adds_time_a_curve_alone_is_its_minimum(void)
{
    struct point p = point_of("packed", 10, MACHINE_LINE);
    series_init(&series);
    for (p.pages = 10; p.pages < 15; p.pages++)
        for (p.sample = 0; p.sample < 16; p.sample++) {
            double late = p.sample % 4 == 0 ? 0.5 : 0;
            struct sample s = {.point = p, .ns = 1 + 0.001 * (double)(p.sample % 3) + late};
            series_add(&series, &s);
        }
    series_sort(&series);
    struct curve c = curve_alone(&series, &p);
    CU_ASSERT_EQUAL_FATAL(c.count, 5);
    CU_ASSERT_EQUAL(c.at[0].ns, 1);
    CU_ASSERT_EQUAL(c.at[4].ns, 1);
    curve_free(&c);
    c = curve_median(&series, &p);
    CU_ASSERT_DOUBLE_EQUAL(c.at[0].ns, 1.0015, 0.0006);
    curve_free(&c);
    series_free(&series);
}

/* 4 to 2003 nodes, each measured once: 4 to 203 stay, as their neighbours are further than 0.5 %.
 */
static void a_curve_of_very_many_sizes_has_near_ones_merged_without_a_bias(void)
{
    struct point p = point_of("packed", 4, MACHINE_LINE);
    size_t samples = 0;
    series_init(&series);
    for (; p.pages < 2004; p.pages++) {
        struct sample s = {.point = p, .ns = (double)p.pages};
        series_add(&series, &s);
    }
    series_sort(&series);
    struct curve c = curve_median(&series, &p);
    CU_ASSERT_TRUE_FATAL(c.count > 500 && c.count < 800);
    CU_ASSERT_EQUAL(c.at[195].pages, 199);
    for (size_t i = 0; i < c.count; i++) {
        samples += c.at[i].samples;
        CU_ASSERT_DOUBLE_EQUAL(c.at[i].ns, c.at[i].pages, 0.5);
        CU_ASSERT_TRUE(i == 0 || c.at[i].pages > c.at[i - 1].pages);
    }
    CU_ASSERT_EQUAL(samples, 2000);
    CU_ASSERT_TRUE(c.at[c.count - 1].error > 0.5); /* by the scatter of those merged */
    curve_free(&c);
    series_free(&series);
}

int main(void)
{
    TAP_SUITE("curve",
              {"the control is the median difference, and the load beside it",
               the_control_is_the_median_difference_and_the_load_beside_it},
              {"samples that agree by chance have the spread of the others",
               samples_that_agree_by_chance_have_the_spread_of_the_others},
              {"a clean curve falls for jumps alone", a_clean_curve_falls_for_jumps_alone},
              {"samples of the same number are compared", samples_of_the_same_number_are_compared},
              {"packed is that of the same kernel and, if there is, of the same backing",
               packed_is_that_of_the_same_kernel_and_if_there_is_of_the_same_backing},
              {"where noise adds time, a curve alone is its minimum",
               where_noise_adds_time_a_curve_alone_is_its_minimum},
              {"a curve of very many sizes has near ones merged, without a bias",
               a_curve_of_very_many_sizes_has_near_ones_merged_without_a_bias});
    return tap_run();
}
