/* test_plan_caches.c: what is measured to find the caches and their line, batch after batch, on
 * machines whose answers are known. A line of what is planned is role, layout, bytes between nodes,
 * samples, sizes. */

#include "schedule.h"
#include <math.h>

static double noise(const struct point *p, double part)
{
    return 1 + part * (double)(p->sample * 7 % 11) / 11;
}

static double flat(const struct point *p)
{
    (void)p;
    return 1;
}

/* Caches of 512 lines, sharp, of 4096, gradual, and of 150 000. */
static double three_caches(const struct point *p)
{
    double n = (double)p->pages;
    return 1 + 3 * (n > 512) + 10 * fmin(1, fmax(0, (n - 4096) / 3000)) + 60 * (n > 150000);
}

static double three_caches_with_noise(const struct point *p)
{
    return three_caches(p) * noise(p, p->pages < 100 ? 0.3 : 0.01);
}

/* Lines of 64 bytes, and eight ways of a page. */
static double lines(const struct point *p)
{
    if (p->layout == &layouts[LAYOUT_PAIR])
        return p->pages < 600 ? 1 : p->spacing >= 64 ? 10 : 6;
    return p->pages <= (p->spacing >= 4096 ? 8 : 32768 / p->spacing) ? 1 : 5;
}

/* Pairs that show no line. */
static double no_lines(const struct point *p)
{
    return p->layout == &layouts[LAYOUT_PAIR] ? 1 : lines(p);
}

/* Long chains come later. */
TEST(sizes_are_six_an_octave_with_fewer_samples_of_long_chains)
{
    CU_ASSERT_TRUE(schedule_is(
        schedule_options(PLAN_CACHES, 64, 200000), flat, 0,
        "sweep local 64 x5: 64 72 81 91 102 114 128 144 161 181 203 228 256 287 323 362 406 "
        "456 512 575 645 724 813 912 1024 1149 1290 1448 1625 1825 2048 2299 2580 2896 3251 "
        "3649 4096 4598 5161 5793 6502 7298 8192 9195 10321 11585 13004 14596 16384 18390 "
        "20643 23170 26008 29193 32768 36781 41285 46341 52016\n"
        "sweep local 64 x4: 58386 65536\n"
        "sweep local 64 x3: 73562 82570\n"
        "sweep local 64 x2: 92682 104032 116772 131072\n"));
}

TEST(beyond_131072_lines_sizes_are_three_an_octave_one_sample_from_a_million_on)
{
    CU_ASSERT_TRUE(schedule_is(
        schedule_options(PLAN_CACHES, 64, (4 << 20)), flat, 1,
        "sweep local 64 x2: 165140 208064 262144 330281 416128 524288 660561 832255 1048576\n"
        "sweep local 64 x1: 1321123 1664511 2097152 2642246 3329021 4194304\n"));
}

TEST(neighbours_on_a_rise_that_differ_much_are_halved)
{
    CU_ASSERT_TRUE(schedule_is(schedule_options(PLAN_CACHES, 64, 300000), three_caches, 1,
                               "refine local 64 x5: 543 5468 6137\n"));
}

TEST(a_sharp_rise_is_halved_until_its_neighbours_are_close)
{
    CU_ASSERT_TRUE(schedule_is(schedule_options(PLAN_CACHES, 64, 300000), three_caches, 3,
                               "refine local 64 x5: 519\n"));
}

TEST(a_plan_of_caches_ends_when_all_is_known)
{
    CU_ASSERT_TRUE(schedule_is(schedule_options(PLAN_CACHES, 64, 300000), three_caches, 7, ""));
}

TEST(short_chains_that_scatter_get_more_samples)
{
    CU_ASSERT_TRUE(schedule_is(schedule_options(PLAN_CACHES, 64, 300000), three_caches_with_noise,
                               1,
                               "refine local 64 x5: 543 5468 6137\n"
                               "sweep local 64 x3: 64 72 81 91\n"));
}

/* The plan of the line without the questions about the sets of the first cache. */
static struct plan_options pairs_options(uint64_t to)
{
    struct plan_options options = schedule_options(PLAN_LINE, 256, to);
    options.spacing = 0;
    return options;
}

/* A line of the schedule for each distance of the pairs. */
static const char *pairs_of(const char *samples)
{
    static char text[SCHEDULE_ROOM];
    text[0] = '\0';
    for (int distance = 8; distance <= 512; distance *= 2)
        schedule_put(text, "sweep pair %d %s\n", distance, samples);
    return text;
}

TEST(pairs_are_measured_at_first_at_every_distance)
{
    CU_ASSERT_TRUE(
        schedule_is(pairs_options(1024), lines, 0, pairs_of("x3: 256 362 512 724 1024")));
}

/* Nodes that share a set, and half as far apart, where twice as many fit. */
TEST(sets_are_asked_about_before_pairs_are_measured)
{
    struct plan_options options = schedule_options(PLAN_LINE, 256, 1024);
    struct series series;
    uint64_t distances[8] = {0}, count = 0;
    char text[SCHEDULE_ROOM];
    series_init(&series);
    while (schedule_next(&options, &series, text) > 0) {
        CU_ASSERT_TRUE(series.count > 0 || strstr(text, "asked line") != NULL || count == 4);
        for (size_t i = 0; i < schedule.count; i++) {
            struct sample s = {.point = schedule.points[i], .ns = lines(&schedule.points[i])};
            series_add(&series, &s);
            bool last = count > 0 && distances[count - 1] <= s.point.spacing;
            if (series.count == 0 && !last && count < 8)
                distances[count++] = s.point.spacing;
        }
    }
    for (uint64_t i = 0; i < 5; i++)
        CU_ASSERT_EQUAL(distances[i], i < 4 ? (uint64_t)16384 >> i : 0);
    CU_ASSERT_TRUE(series.count > 0);
    series_free(&series);
}

TEST(a_line_that_is_known_is_followed_in_long_chains)
{
    CU_ASSERT_TRUE(
        schedule_is(pairs_options(65536), lines, 1, pairs_of("x3: 23170 32768 46341 65536")));
}

TEST(inconclusive_chains_get_twelve_samples)
{
    CU_ASSERT_TRUE(schedule_is(pairs_options(65536), lines, 2,
                               pairs_of("x9: 256 362 512 724 1024 1448 2048 2896 4096 5793 8192 "
                                        "11585 16384 23170 32768 46341 65536")));
}

TEST(pairs_that_show_no_line_get_twelve_samples)
{
    CU_ASSERT_TRUE(
        schedule_is(pairs_options(1024), no_lines, 1, pairs_of("x9: 256 362 512 724 1024")));
}
