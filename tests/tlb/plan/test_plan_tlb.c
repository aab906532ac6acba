/* test_plan_tlb.c: the curves that are measured beside the questions (test_plan_questions.c), batch
 * after batch. A line of what is planned is role, layout, kernel, bytes between nodes, samples,
 * sizes. Kernel `write` has no questions. */

#include "schedule.h"

static bool on_pages(const struct point *p)
{
    return p->layout == &layouts[LAYOUT_PAGE];
}

static double flat(const struct point *p)
{
    (void)p;
    return 1;
}

/* Base pages on huge ones share their entries, except on splintered ones. */
static double huge(const struct point *p)
{
    return 1 + 8 * (on_pages(p) && p->spacing >= UINT64_C(2) << 20 && p->pages > 24);
}

static double splintered(const struct point *p)
{
    return 1 + 8 * (on_pages(p) && p->pages > 64);
}

static struct plan_options curves(enum plan_kind kind, uint64_t least, uint64_t most)
{
    struct plan_options options = schedule_options(kind, least, most);
    options.kernel = &kernels[KERNEL_WRITE];
    return options;
}

TEST(sizes_are_four_an_octave_packed_goes_on_twice_as_far)
{
    CU_ASSERT_TRUE(schedule_is(
        curves(PLAN_TLB, 16, 2896), flat, 0,
        "sweep page write 4096 x5: 16 19 23 27 32 38 45 54 64 76 91 108 128 152 181 215 "
        "256 304 362 431 512 609 724 861 1024 1218 1448 1722 2048 2435 2896\n"
        "sweep packed write 64 x5: 16 19 23 27 32 38 45 54 64 76 91 108 128 152 181 215 "
        "256 304 362 431 512 609 724 861 1024 1218 1448 1722 2048 2435 2896 3444 4096\n"
        "sweep packed write 64 x3: 4870 5792\n"));
}

TEST(a_curve_is_asked_about_once)
{
    CU_ASSERT_TRUE(schedule_is(curves(PLAN_TLB, 16, 2896), flat, 1, ""));
}

/* Base pages on huge ones show whether they really are: until then there are 128. */
TEST(splintered_huge_pages_are_tried_on_few)
{
    struct plan_options options = curves(PLAN_TLB, 16, 2896);
    options.page_bytes = options.spacing = 2 << 20;
    CU_ASSERT_TRUE(schedule_is(
        options, splintered, 0,
        "sweep page write 4096 x5: 8 10 11 13 16 19 23 27 32 38 45 54 64 76 91 108 128 "
        "152 181 215 256 304 362 431 512 609 724 861 1024 1218 1448 1722 2048 2435 2896 "
        "3444 4096\n"
        "sweep packed write 64 x5: 8 10 11 13 16 19 23 27 32 38 45 54 64 76 91 108 128 "
        "152 181 215 256 304 362 431 512 609 724 861 1024 1218 1448 1722 2048 2435 2896 "
        "3444 4096\n"
        "sweep page write 2097152 x5: 16 19 23 27 32 38 45 54 64 76 91 108 128\n"));
}

TEST(huge_pages_that_are_whole_are_tried_on_all)
{
    struct plan_options options = curves(PLAN_TLB, 16, 2896);
    options.page_bytes = options.spacing = 2 << 20;
    CU_ASSERT_TRUE(
        schedule_is(options, huge, 1,
                    "sweep page write 2097152 x5: 152 181 215 256 304 362 431 512 609 724 861 1024 "
                    "1218 1448 1722 2048 2435 2896\n"
                    "sweep packed write 64 x3: 4870 5792\n"));
}

TEST(huge_pages_that_are_splintered_stay_few)
{
    struct plan_options options = curves(PLAN_TLB, 16, 2896);
    options.page_bytes = options.spacing = 2 << 20;
    CU_ASSERT_TRUE(schedule_is(options, splintered, 1, ""));
}

/* 512 entries per table; at the largest distance 128 fit into 46 bits. */
TEST(a_walk_is_measured_at_every_level_of_the_page_table)
{
    CU_ASSERT_TRUE(schedule_is(
        curves(PLAN_WALK, 4, 64), flat, 0,
        "sweep page write 4096 x5: 4 5 6 7 8 10 11 13 16 19 23 27 32 38 45 54 64\n"
        "sweep packed write 64 x5: 4 5 6 7 8 10 11 13 16 19 23 27 32 38 45 54 64\n"
        "sweep page write 2097152 x5: 4 5 6 7 8 10 11 13 16 19 23 27 32 38 45 54 64\n"
        "sweep page write 1073741824 x5: 4 5 6 7 8 10 11 13 16 19 23 27 32 38 45 54 64\n"
        "sweep page write 549755813888 x5: 4 5 6 7 8 10 11 13 16 19 23 27 32 38 45 54 64\n"));
}

TEST(coalescing_is_measured_on_scattered_and_on_contiguous_frames)
{
    CU_ASSERT_TRUE(
        schedule_is(curves(PLAN_COALESCING, 4, 16), flat, 0,
                    "sweep page write 4096 x5: 4 5 6 7 8 10 11 13 16\n"
                    "sweep packed write 64 x5: 4 5 6 7 8 10 11 13 16 19 23 27 32\n"
                    "sweep page write contiguous 4096 x5: 4 5 6 7 8 10 11 13 16\n"
                    "sweep packed write contiguous 64 x5: 4 5 6 7 8 10 11 13 16 19 23 27 32\n"));
}
