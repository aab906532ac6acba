/* test_plan_tlb.c: what is measured to find the levels of a TLB, batch after batch, on machines
 * whose answers are known. A line of what is planned is role, layout, bytes between nodes, samples,
 * sizes. */

#include "schedule.h"
#include <math.h>

static bool on_pages(const struct point *p)
{
    return p->layout == &layouts[LAYOUT_PAGE];
}

/* Noise that is the same in every run: it adds up to a part of the time. */
static double noise(const struct point *p, double part)
{
    uint64_t some = (p->sample * (on_pages(p) ? 4 : 7) + on_pages(p)) % 11;
    return 1 + part * (double)some / 11;
}

static double flat(const struct point *p)
{
    (void)p;
    return 1;
}

/* Levels of 73 and 611 entries, and a cache of 1500 lines. */
static double two_levels(const struct point *p)
{
    double missed = 2 * (p->pages > 73) + 8 * (p->pages > 611);
    return 1 + on_pages(p) * missed + 20 * (p->pages > 1500);
}

static double two_levels_with_noise(const struct point *p)
{
    return two_levels(p) * noise(p, 0.2);
}

/* The clock changes: it slows both samples of a pair. */
static double two_levels_by_the_clock(const struct point *p)
{
    return two_levels(p) * (1 + 0.25 * (double)(p->sample * 4 % 11) / 11);
}

static double flat_with_noise(const struct point *p)
{
    return noise(p, p->pages > 100 && p->pages < 200 ? 1 : 0.01);
}

/* A level of 640 entries, whose five ways fill one after the other. */
static double even(const struct point *p)
{
    double over = (double)p->pages - 640;
    return 1 + 8 * on_pages(p) * fmin(1, fmax(0, 5 * over / (double)p->pages));
}

/* One of 640 entries that is only left for good at twice its size. */
static double gradual(const struct point *p)
{
    return 1 + 8 * on_pages(p) * fmin(1, fmax(0, (double)p->pages / 640 - 1));
}

/* Base pages on huge ones share their entries, except on splintered ones. */
static double huge(const struct point *p)
{
    return 1 + 8 * (on_pages(p) && p->spacing >= UINT64_C(2) << 20 && p->pages > 24);
}

/* Code with a level of 64 entries, which are visited in a new order in every round. */
static double bend(const struct point *p)
{
    double over = fmax(0, (double)p->pages - 64) / (double)p->pages;
    return 1 + 2 * on_pages(p) * over * (1 - log(fmax(over, 1e-9)));
}

/* The same if each size has a separate time, whatever the sample. */
static double bend_in_waves(const struct point *p)
{
    return bend(p) + 0.1 * on_pages(p) * (double)(p->pages * p->pages % 11) / 11;
}

static double splintered(const struct point *p)
{
    return 1 + 8 * (on_pages(p) && p->pages > 64);
}

static void sizes_are_four_an_octave_packed_goes_on_four_times_as_far(void)
{
    struct plan_options options = schedule_options(PLAN_TLB, 16, 2896);
    CU_ASSERT_TRUE(schedule_is(
        &options, flat, 0,
        "sweep page 4096 x5: 16 19 23 27 32 38 45 54 64 76 91 108 128 152 181 215 256 304 "
        "362 431 512 609 724 861 1024 1218 1448 1722 2048 2435 2896\n"
        "sweep packed 64 x5: 16 19 23 27 32 38 45 54 64 76 91 108 128 152 181 215 256 304 "
        "362 431 512 609 724 861 1024 1218 1448 1722 2048 2435 2896 3444 4096\n"
        "sweep packed 64 x3: 4870 5792 6888 8191 9741 11584\n"));
    free(options.pages.values);
}

static void a_machine_without_levels_is_asked_once(void)
{
    struct plan_options options = schedule_options(PLAN_TLB, 16, 2896);
    CU_ASSERT_TRUE(schedule_is(&options, flat, 1, ""));
    free(options.pages.values);
}

static void a_bracket_is_cut_into_eighths_that_of_a_cache_in_packed_alone(void)
{
    struct plan_options options = schedule_options(PLAN_TLB, 16, 2896);
    CU_ASSERT_TRUE(schedule_is(
        &options, two_levels, 1,
        "refine page 4096 x7: 66 67 69 70 72 73 75 623 638 652 667 681 695 710\n"
        "refine packed 64 x7: 66 67 69 70 72 73 75 623 638 652 667 681 695 710 1482 1517 "
        "1551 1585 1619 1654 1688\n"));
    free(options.pages.values);
}

/* That of the second level was 609 to 623, six are a hundredth of it. */
static void a_bracket_is_cut_until_the_first_level_is_known_to_a_page_a_second_to_a_hundredth(void)
{
    struct plan_options options = schedule_options(PLAN_TLB, 16, 2896);
    CU_ASSERT_TRUE(schedule_is(&options, two_levels, 2,
                               "refine page 4096 x7: 74 611 613 614 616 618 620 621\n"
                               "refine packed 64 x7: 74 611 613 614 616 618 620 621\n"));
    free(options.pages.values);
}

/* Four on the lower plateau, three beyond. */
static void the_sizes_around_a_knee_get_fifteen_samples(void)
{
    struct plan_options options = schedule_options(PLAN_TLB, 16, 2896);
    CU_ASSERT_TRUE(schedule_is(&options, two_levels, 3,
                               "refine page 4096 x8: 69 70 72 73 74 75 611 613 614 616\n"
                               "refine packed 64 x8: 69 70 72 73 74 75 611 613 614 616\n"
                               "sweep page 4096 x10: 76 431 512 609\n"
                               "sweep packed 64 x10: 76 431 512 609\n"));
    free(options.pages.values);
}

static void a_plan_ends_when_all_is_known(void)
{
    struct plan_options options = schedule_options(PLAN_TLB, 16, 2896);
    CU_ASSERT_TRUE(schedule_is(&options, two_levels, 4, ""));
    free(options.pages.values);
}

/* Of all around a knee as many as of the worst. */
static void what_scatters_around_a_knee_gets_half_as_many_samples_again(void)
{
    struct plan_options options = schedule_options(PLAN_TLB, 16, 2896);
    CU_ASSERT_TRUE(schedule_is(
        &options, two_levels_by_the_clock, 4,
        "refine page 4096 x8: 69 70 72 73 74 75 611 613 614 616\n"
        "refine packed 64 x8: 69 70 72 73 74 75 611 613 614 616\n"
        "sweep page 4096 x8: 76 431 512 609\n"
        "sweep packed 64 x8: 76 431 512 609\n"
        "sweep page 4096 x4: 16 19 23 27 32 38 45 54 64 91 108 128 152 181 215 256 304 362 "
        "724 861 1024 1218\n"
        "sweep packed 64 x4: 16 19 23 27 32 38 45 54 64 91 108 128 152 181 215 256 304 362 "
        "724 861 1024 1218\n"
        "refine page 4096 x4: 66 67 618 620 621 623 638 652 667 681 695 710\n"
        "refine packed 64 x4: 66 67 618 620 621 623 638 652 667 681 695 710\n"));
    free(options.pages.values);
}

/* 80 were not enough. */
static void what_the_clock_changes_gets_eighty_one_samples_at_the_most(void)
{
    struct plan_options options = schedule_options(PLAN_TLB, 16, 2896);
    CU_ASSERT_TRUE(schedule_is(&options, two_levels_by_the_clock, 8,
                               "refine page 4096 x1: 69 70 72 73 74 75 611 613 614 616\n"
                               "refine packed 64 x1: 69 70 72 73 74 75 611 613 614 616\n"
                               "sweep page 4096 x1: 76 431 512 609\n"
                               "sweep packed 64 x1: 76 431 512 609\n"));
    CU_ASSERT_TRUE(schedule_is(&options, two_levels_by_the_clock, 9, ""));
    free(options.pages.values);
}

/* Noise of each sample for itself averages out: 120 were not enough. */
static void what_scatters_to_both_sides_gets_a_hundred_and_sixty_samples_at_the_most(void)
{
    struct plan_options options = schedule_options(PLAN_TLB, 16, 2896);
    CU_ASSERT_TRUE(schedule_is(&options, two_levels_with_noise, 9,
                               "refine page 4096 x40: 69 70 72 73 74 75 611 613 614 616\n"
                               "refine packed 64 x40: 69 70 72 73 74 75 611 613 614 616\n"
                               "sweep page 4096 x40: 76 431 512 609\n"
                               "sweep packed 64 x40: 76 431 512 609\n"));
    CU_ASSERT_TRUE(schedule_is(&options, two_levels_with_noise, 10, ""));
    free(options.pages.values);
}

static void a_size_that_scatters_is_measured_again_far_from_any_knee(void)
{
    struct plan_options options = schedule_options(PLAN_TLB, 16, 2896);
    CU_ASSERT_TRUE(schedule_is(&options, flat_with_noise, 1,
                               "sweep page 4096 x3: 108 128 152 181\n"
                               "sweep packed 64 x3: 108 128 152 181\n"));
    free(options.pages.values);
}

static void a_size_that_scatters_gets_fifteen_samples_at_the_most(void)
{
    struct plan_options options = schedule_options(PLAN_TLB, 16, 2896);
    CU_ASSERT_TRUE(schedule_is(&options, flat_with_noise, 3,
                               "sweep page 4096 x3: 108 128 152 181\n"
                               "sweep packed 64 x3: 108 128 152 181\n"));
    free(options.pages.values);
}

static void a_sharp_rise_is_filled_in_where_its_sizes_are_far_apart(void)
{
    struct plan_options options = schedule_options(PLAN_TLB, 16, 2896);
    CU_ASSERT_TRUE(schedule_is(
        &options, even, 4,
        "refine page 4096 x7: 659 674 688 702 717 735 745 756 767 778 790 801 813 824 836 849\n"
        "refine packed 64 x7: 659 674 688 702 717 735 745 756 767 778 790 801 813 824 836 849\n"));
    free(options.pages.values);
}

/* Its half is done more than a sixth beyond its foot. */
static void a_gradual_rise_is_filled_in_at_half_as_many_sizes(void)
{
    struct plan_options options = schedule_options(PLAN_TLB, 16, 2896);
    CU_ASSERT_TRUE(schedule_is(
        &options, gradual, 3,
        "refine page 4096 x7: 745 767 790 813 836 886 912 939 966 995 1054 1085 1117 1150 "
        "1183 1254 1290 1328 1367 1407\n"
        "refine packed 64 x7: 745 767 790 813 836 886 912 939 966 995 1054 1085 1117 1150 "
        "1183 1254 1290 1328 1367 1407\n"));
    free(options.pages.values);
}

static void neighbours_on_a_steep_part_are_a_sixtieth_apart(void)
{
    struct plan_options options = schedule_options(PLAN_TLB, 16, 2896);
    CU_ASSERT_TRUE(schedule_is(&options, even, 5,
                               "refine page 4096 x7: 729 784\n"
                               "refine packed 64 x7: 729 784\n"));
    free(options.pages.values);
}

/* Base pages on huge ones show whether they really are: until then there are 128. */
static void splintered_huge_pages_are_tried_on_few(void)
{
    struct plan_options options = schedule_options(PLAN_TLB, 16, 2896);
    options.page_bytes = options.spacing = 2 << 20;
    CU_ASSERT_TRUE(schedule_is(
        &options, splintered, 0,
        "sweep page 4096 x5: 8 16 32 64 128 256 512 1024 2048 4096\n"
        "sweep packed 64 x5: 8 16 32 64 128 256 512 1024 2048 4096 19 23 27 38 45 54 76 91 "
        "108 152 181 215 304 362 431\n"
        "sweep page 2097152 x5: 16 19 23 27 32 38 45 54 64 76 91 108 128\n"));
    free(options.pages.values);
}

static void huge_pages_that_are_whole_are_tried_on_all(void)
{
    struct plan_options options = schedule_options(PLAN_TLB, 16, 2896);
    options.page_bytes = options.spacing = 2 << 20;
    CU_ASSERT_TRUE(schedule_is(
        &options, huge, 1,
        "sweep page 2097152 x5: 152 181 215 256 304 362 431 512 609 724 861 1024 1218 1448 "
        "1722 2048 2435 2896\n"
        "sweep packed 64 x5: 609 724 861 1218 1448 1722 2435 2896 3444\n"
        "sweep packed 64 x3: 4870 5792 6888 8191 9741 11584\n"));
    free(options.pages.values);
}

static void huge_pages_that_are_splintered_stay_few(void)
{
    struct plan_options options = schedule_options(PLAN_TLB, 16, 2896);
    options.page_bytes = options.spacing = 2 << 20;
    CU_ASSERT_TRUE(schedule_is(&options, splintered, 1,
                               "refine page 2097152 x7: 66 67 69 70 72 73 75\n"
                               "refine packed 64 x7: 66 67 69 70 72 73 75\n"));
    free(options.pages.values);
}

/* 512 entries per table; at the largest distance 128 fit into 46 bits. */
static void a_walk_is_measured_at_every_level_of_the_page_table(void)
{
    struct plan_options options = schedule_options(PLAN_WALK, 4, 64);
    CU_ASSERT_TRUE(
        schedule_is(&options, flat, 0,
                    "sweep page 4096 x5: 4 5 6 7 8 10 11 13 16 19 23 27 32 38 45 54 64\n"
                    "sweep packed 64 x5: 4 5 6 7 8 10 11 13 16 19 23 27 32 38 45 54 64\n"
                    "sweep page 2097152 x5: 4 5 6 7 8 10 11 13 16 19 23 27 32 38 45 54 64\n"
                    "sweep page 1073741824 x5: 4 5 6 7 8 10 11 13 16 19 23 27 32 38 45 54 64\n"
                    "sweep page 549755813888 x5: 4 5 6 7 8 10 11 13 16 19 23 27 32 38 45 54 64\n"));
    free(options.pages.values);
}

static void coalescing_is_measured_on_scattered_and_on_contiguous_frames(void)
{
    struct plan_options options = schedule_options(PLAN_COALESCING, 4, 16);
    CU_ASSERT_TRUE(schedule_is(
        &options, flat, 0,
        "sweep page 4096 x5: 4 5 6 7 8 10 11 13 16\n"
        "sweep packed 64 x5: 4 5 6 7 8 10 11 13 16 19 23 27 32 38 45 54 64\n"
        "sweep page contiguous 4096 x5: 4 5 6 7 8 10 11 13 16\n"
        "sweep packed contiguous 64 x5: 4 5 6 7 8 10 11 13 16 19 23 27 32 38 45 54 64\n"));
    free(options.pages.values);
}

static void sizes_are_close_together_where_the_curve_of_code_bends(void)
{
    struct plan_options options = schedule_options(PLAN_TLB, 16, 256);
    options.kernel = &kernels[KERNEL_CODE];
    CU_ASSERT_TRUE(schedule_is(
        &options, bend, 1,
        "sweep page code 4096 x3: 32 38 45 54 64 76 91 108 128\n"
        "sweep packed code 64 x3: 32 38 45 54 64 76 91 108 128\n"
        "refine page code 4096 x7: 35 41 49 59 60 61 63 65 67 68 70 71 73 83 99 117\n"
        "refine packed code 64 x7: 35 41 49 59 60 61 63 65 67 68 70 71 73 83 99 117\n"));
    CU_ASSERT_TRUE(schedule_is(&options, bend, 2, ""));
    free(options.pages.values);
}

static void sizes_around_a_bend_keep_to_the_bounds(void)
{
    struct plan_options options = schedule_options(PLAN_TLB, 32, 100);
    options.kernel = &kernels[KERNEL_CODE];
    CU_ASSERT_TRUE(
        schedule_is(&options, bend, 1,
                    "sweep page code 4096 x2: 32 38 45 54 64 76 91\n"
                    "sweep packed code 64 x2: 32 38 45 54 64 76 91\n"
                    "refine page code 4096 x7: 35 41 49 59 60 61 63 65 67 68 70 71 73 83 99\n"
                    "refine packed code 64 x7: 35 41 49 59 60 61 63 65 67 68 70 71 73 83 99\n"));
    free(options.pages.values);
}

/* From five to eight; sizes that are new get seven first. */
static void a_bend_that_is_not_sharp_gets_half_as_many_samples_again(void)
{
    struct plan_options options = schedule_options(PLAN_TLB, 16, 256);
    options.kernel = &kernels[KERNEL_CODE];
    CU_ASSERT_TRUE(schedule_is(
        &options, bend_in_waves, 1,
        "sweep page code 4096 x3: 32 38 45 54 64 76 91 108 128\n"
        "sweep packed code 64 x3: 32 38 45 54 64 76 91 108 128\n"
        "refine page code 4096 x7: 35 41 49 59 60 61 63 65 67 68 70 71 73 83 99 117\n"
        "refine packed code 64 x7: 35 41 49 59 60 61 63 65 67 68 70 71 73 83 99 117\n"));
    free(options.pages.values);
}

int main(void)
{
    TAP_SUITE(
        "plan of a TLB",
        {"sizes are four an octave, packed goes on four times as far",
         sizes_are_four_an_octave_packed_goes_on_four_times_as_far},
        {"a machine without levels is asked once", a_machine_without_levels_is_asked_once},
        {"sizes are close together where the curve of code bends",
         sizes_are_close_together_where_the_curve_of_code_bends},
        {"sizes around a bend keep to the bounds", sizes_around_a_bend_keep_to_the_bounds},
        {"a bend that is not sharp gets half as many samples again",
         a_bend_that_is_not_sharp_gets_half_as_many_samples_again},
        {"a bracket is cut into eighths, that of a cache in packed alone",
         a_bracket_is_cut_into_eighths_that_of_a_cache_in_packed_alone},
        {"a bracket is cut until the first level is known to a page, a second to a hundredth",
         a_bracket_is_cut_until_the_first_level_is_known_to_a_page_a_second_to_a_hundredth},
        {"the sizes around a knee get fifteen samples",
         the_sizes_around_a_knee_get_fifteen_samples},
        {"a plan ends when all is known", a_plan_ends_when_all_is_known},
        {"what scatters around a knee gets half as many samples again",
         what_scatters_around_a_knee_gets_half_as_many_samples_again},
        {"what the clock changes gets eighty-one samples at the most",
         what_the_clock_changes_gets_eighty_one_samples_at_the_most},
        {"what scatters to both sides gets a hundred and sixty samples at the most",
         what_scatters_to_both_sides_gets_a_hundred_and_sixty_samples_at_the_most},
        {"a size that scatters is measured again far from any knee",
         a_size_that_scatters_is_measured_again_far_from_any_knee},
        {"a size that scatters gets fifteen samples at the most",
         a_size_that_scatters_gets_fifteen_samples_at_the_most},
        {"a gradual rise is filled in at half as many sizes",
         a_gradual_rise_is_filled_in_at_half_as_many_sizes},
        {"a sharp rise is filled in where its sizes are far apart",
         a_sharp_rise_is_filled_in_where_its_sizes_are_far_apart},
        {"neighbours on a steep part are a sixtieth apart",
         neighbours_on_a_steep_part_are_a_sixtieth_apart},
        {"splintered huge pages are tried on few", splintered_huge_pages_are_tried_on_few},
        {"huge pages that are whole are tried on all", huge_pages_that_are_whole_are_tried_on_all},
        {"huge pages that are splintered stay few", huge_pages_that_are_splintered_stay_few},
        {"a walk is measured at every level of the page table",
         a_walk_is_measured_at_every_level_of_the_page_table},
        {"coalescing is measured on scattered and on contiguous frames",
         coalescing_is_measured_on_scattered_and_on_contiguous_frames});
    return tap_run();
}
