/* test_plan_geometry.c: what is measured to find how a TLB is organised, batch after batch, on a
 * machine whose answers are known. A line of what is planned is role, layout, bytes between nodes,
 * samples, sizes. */
#include "schedule.h"

/* 64 entries of four ways in 16 sets, and 1024 of eight in 128: of pages 2^k pages apart only every
 * 2^k-th set has some. In `set` the others have pushed the targets out of the first level. */
static double two_levels(const struct point *p)
{
    uint64_t apart = p->spacing / 4096;
    if (p->layout == &layouts[LAYOUT_PACKED])
        return 1;
    uint64_t first = apart < 16 ? 64 / apart : 4, second = apart < 128 ? 1024 / apart : 8;
    if (p->layout == &layouts[LAYOUT_PAGE])
        return 1 + 2 * (p->pages > first) + 8 * (p->pages > second);
    double part = (double)p->targets / (double)(p->targets + p->others);
    if (p->others == 0)
        return 1 + 2 * (p->targets > first) + 8 * (p->targets > 12);
    return 3 + 8 * (p->targets > second) * part;
}

/* The first level has all of its 64 entries at any distance, more than the second has at some. */
static double a_first_level_that_hides(const struct point *p)
{
    if (p->layout == &layouts[LAYOUT_PACKED])
        return 1;
    uint64_t apart = p->spacing / 4096, second = apart < 128 ? 1024 / apart : 8;
    uint64_t both = p->layout == &layouts[LAYOUT_SET] ? 72 : 64;
    if (p->others == 0)
        return 1 + 2 * (p->pages > 64) + 8 * (p->pages > both && p->pages > second);
    double part = (double)p->targets / (double)(p->targets + p->others);
    return 3 + 8 * (p->targets > second) * part;
}

/* Three sizes an octave, from 0.3 times a capacity to 1.6 times; of those ahead, that may have
 * halved, from half of it and one size less. */
static void a_distance_is_measured_around_the_capacities_at_the_one_before_and_three_ahead(void)
{
    struct plan_options options = schedule_options(PLAN_GEOMETRY, 16, 2896);
    CU_ASSERT_TRUE(schedule_is(
        &options, two_levels, 5,
        "sweep page 8192 x5: 16 20 25 32 40 51 64 81 102 128 256 323 406 512 645 813 1024 "
        "1290 1625 2048\n"
        "sweep packed 64 x5: 20 25 40 51 81 102 323 406 645 813 1290 1625 6 8 10 13 161 203 3 "
        "4 5 2\n"
        "sweep page 16384 x5: 6 8 10 13 16 20 25 32 40 51 64 81 102 128 161 203 256 323 406 "
        "512 645 813 1024 1290 1625 2048\n"
        "sweep page 32768 x5: 3 4 5 6 8 10 13 16 20 25 32 40 51 64 81 102 128 161 203 256 323 406 "
        "512 645 813 1024 1290 1625 2048\n"
        "sweep page 65536 x5: 2 3 4 5 6 8 10 13 16 20 25 32 40 51 64 81 102 128 161 203 256 323 "
        "406 512 645 813 1024 1290 1625 2048\n"));
    free(options.pages.values);
}

static void capacities_halve_until_a_level_has_one_set(void)
{
    struct plan_options options = schedule_options(PLAN_GEOMETRY, 16, 2896);
    CU_ASSERT_TRUE(schedule_is(
        &options, two_levels, 6,
        "sweep page 131072 x5: 1 2 3 4 5 6 8 20 25 32 40 51 64 81 102 128\n"
        "sweep packed 64 x5: 1\n"
        "sweep page 262144 x5: 1 2 3 4 5 6 8 10 13 16 20 25 32 40 51 64 81 102 128\n"
        "sweep page 524288 x5: 1 2 3 4 5 6 8 10 13 16 20 25 32 40 51 64 81 102 128\n"
        "sweep page 1048576 x5: 1 2 3 4 5 6 8 10 13 16 20 25 32 40 51 64 81 102 128\n"));
    free(options.pages.values);
}

/* Eight ways of the second level from 512 KiB on: they stay for three doublings. */
static void a_level_that_halves_no_more_is_settled(void)
{
    struct plan_options options = schedule_options(PLAN_GEOMETRY, 16, 2896);
    CU_ASSERT_TRUE(schedule_is(&options, two_levels, 7,
                               "sweep page 2097152 x5: 1 2 3 4 5 6 8 10 13 16\n"
                               "sweep page 4194304 x5: 1 2 3 4 5 6 8 10 13 16\n"));
    free(options.pages.values);
}

/* 1.6 times four, and eight, ways. */
/* From 16 pages apart on the first level hides the second: targets, beside 80 others. */
static void a_hidden_distance_is_measured_among_others_and_three_more_ahead(void)
{
    struct plan_options options = schedule_options(PLAN_GEOMETRY, 16, 2896);
    CU_ASSERT_TRUE(schedule_is(&options, a_first_level_that_hides, 6,
                               "sweep set 65536 x64: 120 131 144 161 182 208 241 283 336\n"
                               "sweep packed 64 x9: 120 131 144 182 208 241 283 336 96 100 105 112 "
                               "88 90 93 84 85 86\n"
                               "sweep packed 64 x4: 161\n"
                               "sweep set 131072 x64: 96 100 105 112 120 131 144 161 182 208 241 "
                               "283 336\n"
                               "sweep set 262144 x64: 88 90 93 96 100 105 112 120 131 144 161 182 "
                               "208 241 283 336\n"
                               "sweep set 524288 x64: 84 85 86 88 90 93 96 100 105 112 120 131 144 "
                               "161 182 208 241 283 336\n"));
    free(options.pages.values);
}

static void targets_of_one_set_go_up_to_more_than_it_holds(void)
{
    struct plan_options options = schedule_options(PLAN_GEOMETRY, 16, 2896);
    CU_ASSERT_TRUE(schedule_is(&options, two_levels, 8,
                               "sweep set 65536 x128: 1 2 3 4 5 6 7 8\n"
                               "sweep packed 64 x4: 1 2 3 4 5 6 8 10 13\n"
                               "sweep packed 64 x9: 7 9 11 12\n"
                               "sweep set 524288 x128: 1 2 3 4 5 6 7 8 9 10 11 12 13\n"));
    free(options.pages.values);
}

/* Two more than fit in both levels confirm it. */
static void targets_go_on_until_some_miss(void)
{
    struct plan_options options = schedule_options(PLAN_GEOMETRY, 16, 2896);
    CU_ASSERT_TRUE(schedule_is(&options, two_levels, 9,
                               "sweep set 524288 x128: 14 15 16 17 18 19 20\n"
                               "sweep packed 64 x9: 14 15 17 18\n"
                               "sweep packed 64 x4: 16 19 20\n"));
    free(options.pages.values);
}

static void replacement_is_asked_with_targets_and_with_others(void)
{
    struct plan_options options = schedule_options(PLAN_GEOMETRY, 16, 2896);
    CU_ASSERT_TRUE(schedule_is(&options, two_levels, 10,
                               "sweep set 65536 x64: 40 48 56 64 72 9\n"
                               "sweep set 524288 x64: 104 112 120 144 192 24\n"
                               "sweep packed 64 x9: 24\n"));
    free(options.pages.values);
}

int main(void)
{
    TAP_SUITE(
        "plan of a geometry",
        {"a distance is measured around the capacities at the one before, and three more ahead",
         a_distance_is_measured_around_the_capacities_at_the_one_before_and_three_ahead},
        {"capacities halve until a level has one set", capacities_halve_until_a_level_has_one_set},
        {"a level that halves no more is settled", a_level_that_halves_no_more_is_settled},
        {"a hidden distance is measured among others, and three more ahead",
         a_hidden_distance_is_measured_among_others_and_three_more_ahead},
        {"targets of one set go up to more than it holds",
         targets_of_one_set_go_up_to_more_than_it_holds},
        {"targets go on until some miss", targets_go_on_until_some_miss},
        {"replacement is asked with targets and with others",
         replacement_is_asked_with_targets_and_with_others});
    return tap_run();
}
