/* test_segment.c: every clause of the segment method on curves made by hand, so that a clause left
 * out or a constant changed fails a check.
 *
 *     bin/.obj/plain/tests/tlb/detect/test_segment
 */
#include "access/kernel.h"
#include "access/layout.h"
#include "named.h"
#include "tap.h"
#include "tlb/detect/segment.h"
#include <math.h>
#include <string.h>

/* A point of a curve: window, median, and the distance between the quartiles. */
struct row {
    double kib, ns, range;
};

enum { SPACING = 64, PAGE = 4096 };

static struct point point_at(double kib)
{
    return point_of("box", (uint64_t)(kib * 1024 / SPACING), SPACING);
}

static void add(struct series *series, const struct point *point, double ns)
{
    struct sample sample = {.point = *point, .ns = ns};
    series_add(series, &sample);
}

/* Eight samples: sorted[2] and sorted[6] are the quartiles. */
static void add_row(struct series *series, struct row row)
{
    static const double place[8] = {0.5, -0.8, 0, 0.9, -0.5, 0, -0.7, 0.3};
    struct point point = point_at(row.kib);
    for (int i = 0; i < 8; i++)
        add(series, &point, row.ns + place[i] * row.range);
}

/* The boundaries of the curve; `l1d_kib` sets the guard to twice that, 256 KiB at least. */
static struct boundaries found_on(const struct row *rows, size_t count, double l1d_kib)
{
    struct boundaries found = {0};
    struct series series;
    struct point like = point_at(16);
    series_init(&series);
    for (size_t i = 0; i < count; i++)
        add_row(&series, rows[i]);
    segment_detect(&series, &like, (uint64_t)(l1d_kib * 1024), 64, &found);
    boundaries_judge(&found, NULL);
    series_free(&series);
    return found;
}

#define FOUND(l1d_kib, ...)                                                                        \
    found_on((const struct row[]){__VA_ARGS__},                                                    \
             sizeof((const struct row[]){__VA_ARGS__}) / sizeof(struct row), l1d_kib)

/* The row of a level (0: the knee), or an empty one. */
static struct boundary row_of(struct boundaries found, int level)
{
    for (size_t i = 0; i < found.count; i++)
        if (found.at[i].level == level)
            return found.at[i];
    return (struct boundary){.level = -1};
}

static double kib_of(struct boundaries found, int level)
{
    return row_of(found, level).bytes_max / 1024;
}

static bool has_note(struct boundaries found, int level, const char *word)
{
    return strstr(NOTE(row_of(found, level).note), word) != NULL;
}

static bool near(double a, double b)
{
    return fabs(a - b) < 1e-9;
}

/* Sizes from 3 MiB on: beyond the private-cache knee, so that only the TLB levels are found. */
TEST(weighs_the_baseline_by_recency)
{
    struct boundary first = row_of(
        FOUND(32, {3072, 10, 0}, {4096, 10.5, 0}, {6144, 11, 0}, {8192, 20, 0}), 1);
    CU_ASSERT_EQUAL(first.bytes_max, 8192 * 1024);
    CU_ASSERT_EQUAL(first.bytes_min, 6144 * 1024);
    CU_ASSERT(near(first.plateau_ns, (10 + 2 * 10.5 + 3 * 11) / 6));
    CU_ASSERT(near(first.step_ns, 20 - first.plateau_ns));
    CU_ASSERT(near(first.step_percent, 100 * first.step_ns / first.plateau_ns));
    CU_ASSERT_STRING_EQUAL(first.method, "segment");
    CU_ASSERT_EQUAL(first.structure, STRUCTURE_DTLB);
}

TEST(needs_2_ns_and_a_tenth)
{
    CU_ASSERT_EQUAL(FOUND(32, {3072, 5, 0}, {4096, 6.99, 0}).count, 0);
    CU_ASSERT_EQUAL(FOUND(32, {3072, 5, 0}, {4096, 7, 0}).count, 1);
    CU_ASSERT_EQUAL(FOUND(32, {3072, 100, 0}, {4096, 109.9, 0}).count, 0);
    CU_ASSERT_EQUAL(FOUND(32, {3072, 100, 0}, {4096, 110, 0}).count, 1);
    CU_ASSERT_EQUAL(FOUND(32, {3072, 0, 0}, {4096, 2, 0}).count, 1);
    CU_ASSERT_EQUAL(row_of(FOUND(32, {3072, 0, 0}, {4096, 2, 0}), 1).plateau_ns, 0);
    CU_ASSERT(isnan(row_of(FOUND(32, {3072, 0, 0}, {4096, 2, 0}), 1).step_percent));
}

TEST(needs_more_than_the_noise_of_three_points)
{
    CU_ASSERT_EQUAL(FOUND(32, {3072, 10, 5}, {4096, 10, 5}, {6144, 10, 5}, {8192, 14.9, 0}).count,
                    0);
    CU_ASSERT_EQUAL(FOUND(32, {3072, 10, 5}, {4096, 10, 5}, {6144, 10, 5}, {8192, 15, 0}).count, 1);
    /* two points of baseline know nothing of noise */
    CU_ASSERT_EQUAL(FOUND(32, {3072, 10, 5}, {4096, 10, 5}, {6144, 14.9, 0}).count, 1);
    /* the median of the ranges, not their mean */
    CU_ASSERT_EQUAL(FOUND(32, {3072, 10, 1}, {4096, 10, 30}, {6144, 10, 1}, {8192, 20, 0}).count,
                    1);
    /* a point without any range counts in the median */
    CU_ASSERT_EQUAL(FOUND(32, {3072, 10, 0}, {4096, 10, 5}, {6144, 10, 0}, {8192, 14.9, 0}).count,
                    1);
}

TEST(a_step_with_overlapping_quartiles_is_no_boundary)
{
    /* the quartiles of the baseline reach up to 11, the candidate's down to 11, then to 11.05 */
    CU_ASSERT_EQUAL(FOUND(32, {3072, 10, 2}, {4096, 10, 2}, {6144, 13, 4}).count, 0);
    CU_ASSERT_EQUAL(FOUND(32, {3072, 10, 2}, {4096, 10, 2}, {6144, 13, 3.9}).count, 1);
    /* their plain average, 12, not the last one */
    CU_ASSERT_EQUAL(FOUND(32, {3072, 10, 6}, {4096, 10, 2}, {6144, 13, 2.1}).count, 0);
    CU_ASSERT_EQUAL(FOUND(32, {3072, 10, 6}, {4096, 10, 2}, {6144, 13, 1.9}).count, 1);
    /* the scan continues after an overlapping candidate */
    CU_ASSERT_EQUAL(
        kib_of(FOUND(32, {3072, 10, 0}, {4096, 13, 8}, {6144, 16, 0}, {8192, 16, 0}), 1), 6144);
}

/* sorted[n/4] and sorted[3n/4], without interpolation: of 5 samples the second and the fourth. */
TEST(takes_sorted_n_4_and_sorted_3n_4)
{
    static const double baseline[5] = {10, 14, 9, 8, 12}; /* Q3 12, median 10 */
    static const double above[5] = {12.1, 30, 15, 5, 31}, below[5] = {12, 30, 15, 5, 31};
    const double *candidates[2] = {above, below};
    for (size_t c = 0; c < 2; c++) {
        struct boundaries found = {0};
        struct series series;
        struct point points[2] = {point_at(3072), point_at(4096)};
        series_init(&series);
        for (int i = 0; i < 5; i++) {
            add(&series, &points[0], baseline[i]);
            add(&series, &points[1], candidates[c][i]);
        }
        segment_detect(&series, &points[0], 1, 0, &found);
        boundaries_judge(&found, NULL);
        series_free(&series);
        CU_ASSERT_EQUAL(found.count, 1 - c);
        CU_ASSERT(c == 1 || (found.at[0].plateau_ns == 10 && found.at[0].step_ns == 5));
    }
}

TEST(guards_against_the_cache)
{
    /* 64 pages are 256 KiB; the segment still starts at 32 KiB */
    struct boundary first = row_of(
        FOUND(1, {32, 5, 0}, {64, 8, 0}, {255, 10, 0}, {256, 16, 0}, {4096, 16, 0}), 1);
    CU_ASSERT_EQUAL(first.bytes_max, 256 * 1024);
    CU_ASSERT(near(first.plateau_ns, (5 + 2 * 8 + 3 * 10) / 6.0));
    /* twice the L1D */
    CU_ASSERT_EQUAL(kib_of(FOUND(129, {64, 5, 0}, {257, 9, 0}, {258, 14, 0}), 1), 258);
    CU_ASSERT_EQUAL(kib_of(FOUND(128, {64, 5, 0}, {257, 9, 0}, {258, 14, 0}), 1), 257);
}

/* An unknown L1D counts as 32 KiB; pages of 512 bytes leave the guard to it. */
TEST(assumes_an_L1D_of_32_KiB)
{
    struct boundaries found = {0};
    struct series series;
    struct point points[4] = {point_at(16), point_at(63), point_at(64), point_at(96)};
    series_init(&series);
    for (int i = 0; i < 4; i++) {
        points[i].page_bytes = 512;
        add(&series, &points[i], 1 + 4 * i);
    }
    segment_detect(&series, &points[0], 0, 0, &found);
    boundaries_judge(&found, NULL);
    series_free(&series);
    CU_ASSERT_EQUAL_FATAL(found.count, 1);
    CU_ASSERT_EQUAL(found.at[0].bytes_max, 64 * 1024);
}

/* Confidence of a step of `step` over `base` that is followed by these. */
#define JUDGED(base, step, ...)                                                                    \
    row_of(FOUND(32, {3072, base, 0}, {4096, (base) + (step), 0}, __VA_ARGS__), 1).confidence

TEST(wants_two_of_three_later_points)
{
    /* a weak step: persistent is medium, else low */
    CU_ASSERT_EQUAL(JUDGED(30, 3.5, {5000, 34, 0}, {6000, 34, 0}, {7000, 30, 0}),
                    CONFIDENCE_MEDIUM);
    CU_ASSERT_EQUAL(JUDGED(30, 3.5, {5000, 30, 0}, {6000, 34, 0}, {7000, 34, 0}),
                    CONFIDENCE_MEDIUM);
    CU_ASSERT_EQUAL(JUDGED(30, 3.5, {5000, 30, 0}, {6000, 34, 0}, {7000, 30, 0}), CONFIDENCE_LOW);
    CU_ASSERT_EQUAL(JUDGED(30, 3.5, {5000, 34, 0}, {6000, 34, 0}), CONFIDENCE_MEDIUM);
    CU_ASSERT_EQUAL(JUDGED(30, 3.5, {5000, 34, 0}), CONFIDENCE_LOW);
    /* three points count, not the fourth */
    CU_ASSERT_EQUAL(JUDGED(30, 3.5, {5000, 30, 0}, {6000, 34, 0}, {7000, 30, 0}, {8000, 34, 0}),
                    CONFIDENCE_LOW);
    /* they must exceed the threshold (33), not the candidate (33.5) */
    CU_ASSERT_EQUAL(JUDGED(30, 3.5, {5000, 33, 0}, {6000, 33, 0}), CONFIDENCE_MEDIUM);
    CU_ASSERT_EQUAL(JUDGED(30, 3.5, {5000, 32.9, 0}, {6000, 32.9, 0}), CONFIDENCE_LOW);
    /* it is kept beside the confidence */
    CU_ASSERT(row_of(FOUND(32, {3072, 30, 0}, {4096, 50, 0}, {5000, 50, 0}, {6000, 50, 0}), 1)
                  .persistent);
    CU_ASSERT(row_of(FOUND(32, {3072, 30, 0}, {4096, 50, 0}), 1).persistent);
    CU_ASSERT(!row_of(FOUND(32, {3072, 30, 0}, {4096, 50, 0}, {5000, 50, 0}), 1).persistent);
}

TEST(lets_a_large_last_step_substitute_for_them)
{
#define LAST(base, step)                                                                           \
    row_of(FOUND(32, {3072, base, 0}, {4096, (base) + (step), 0}), 1).confidence
    CU_ASSERT_EQUAL(LAST(40, 8), CONFIDENCE_HIGH);
    CU_ASSERT_EQUAL(LAST(40, 7.9), CONFIDENCE_MEDIUM);
    CU_ASSERT_EQUAL(LAST(10, 2.5), CONFIDENCE_HIGH);
    CU_ASSERT_EQUAL(LAST(10, 2.4), CONFIDENCE_MEDIUM);
    /* one point before the last there is a future, and it does not confirm */
    CU_ASSERT_EQUAL(JUDGED(40, 8, {5000, 40, 0}), CONFIDENCE_MEDIUM);
    CU_ASSERT_EQUAL(JUDGED(10, 2.5, {5000, 10, 0}), CONFIDENCE_MEDIUM);
}

TEST(judges_by_step_and_persistence)
{
#define AFTER(base, step) JUDGED(base, step, {5000, (base) + (step), 0}, {6000, (base) + (step), 0})
    CU_ASSERT_EQUAL(AFTER(30, 4), CONFIDENCE_HIGH);
    CU_ASSERT_EQUAL(AFTER(30, 3.9), CONFIDENCE_MEDIUM);
    CU_ASSERT_EQUAL(AFTER(20, 3), CONFIDENCE_HIGH);
    CU_ASSERT_EQUAL(AFTER(20, 2.9), CONFIDENCE_MEDIUM);
    CU_ASSERT_EQUAL(JUDGED(30, 4, {5000, 30, 0}, {6000, 30, 0}), CONFIDENCE_MEDIUM);
    CU_ASSERT_EQUAL(JUDGED(20, 3, {5000, 20, 0}, {6000, 20, 0}), CONFIDENCE_MEDIUM);
    CU_ASSERT_EQUAL(JUDGED(30, 3.9, {5000, 30, 0}, {6000, 30, 0}), CONFIDENCE_LOW);
}

/* A step at `kib` with an L1D so large that no TLB level is looked for. */
#define KNEE(kib) FOUND(1 << 20, {256, 5, 0}, {kib, 8, 0}, {4096, 8.1, 0}, {8192, 8.1, 0})

TEST(a_private_cache_knee_is_a_boundary_with_its_notes)
{
    struct boundary knee = row_of(KNEE(512), 0);
    CU_ASSERT_EQUAL(knee.bytes_max, 512 * 1024);
    CU_ASSERT_EQUAL(knee.structure, STRUCTURE_CACHE);
    CU_ASSERT_STRING_EQUAL(NOTE(knee.note), "private_knee,no_control");
    CU_ASSERT_EQUAL(knee.entries_max, 512 * 1024 / 64); /* lines */
    CU_ASSERT_EQUAL(knee.confidence, CONFIDENCE_HIGH);
    CU_ASSERT_STRING_EQUAL(NOTE(row_of(KNEE(767), 0).note), "private_knee,no_control");
    CU_ASSERT_STRING_EQUAL(NOTE(row_of(KNEE(768), 0).note),
                           "private_knee,may_interfere_with_tlb,no_control");
    CU_ASSERT_EQUAL(kib_of(KNEE(2048), 0), 2048);
    CU_ASSERT_EQUAL(KNEE(2049).count, 0);
    /* a step below 512 KiB is skipped for the first that still stands out from 512 KiB on */
    CU_ASSERT_EQUAL(kib_of(FOUND(1 << 20, {256, 5, 0}, {511, 8, 0}, {513, 20, 0}), 0), 513);
}

TEST(the_first_level_starts_beyond_the_guard_and_the_knee)
{
    /* at the knee: kept, as an ambiguous one */
    struct boundaries found = FOUND(32, {256, 5, 0}, {768, 9, 0}, {1024, 9, 0}, {4096, 30, 0});
    CU_ASSERT_EQUAL(kib_of(found, 0), 768);
    CU_ASSERT_EQUAL(kib_of(found, 1), 768);
    CU_ASSERT(has_note(found, 1, "overlaps_private_cache_knee"));
    /* the guard (1 MiB) is beyond the knee: from the start the knee's plateau would be taken for a
     * level; the scan one past the knee leaves it out, and 1024 KiB begins its baseline */
    found = FOUND(512, {256, 5, 0}, {768, 9, 0}, {1024, 12, 0}, {2048, 13, 0}, {4096, 30, 0});
    CU_ASSERT_EQUAL(kib_of(found, 0), 768);
    CU_ASSERT_EQUAL(kib_of(found, 1), 4096);
    CU_ASSERT(near(row_of(found, 1).plateau_ns, (12 + 2 * 13) / 3.0));
    CU_ASSERT_STRING_EQUAL(NOTE(row_of(found, 1).note), "no_control");
    /* nothing beyond the knee: the one from the start remains */
    found = FOUND(512, {256, 5, 0}, {768, 9, 0}, {1024, 12, 0}, {2048, 12, 0}, {4096, 12, 0});
    CU_ASSERT_EQUAL(kib_of(found, 1), 1024);
    CU_ASSERT(!has_note(found, 1, "overlaps"));
    /* before the knee: the one beyond remains too */
    found = FOUND(32, {128, 5, 0}, {384, 8, 0}, {1024, 9, 0}, {2048, 9, 0}, {4096, 30, 0});
    CU_ASSERT_EQUAL(kib_of(found, 0), 1024);
    CU_ASSERT_EQUAL(kib_of(found, 1), 4096);
}

TEST(the_second_level_starts_two_points_after_the_first)
{
    /* the baseline starts two points after the first level */
    struct boundaries found = FOUND(32, {3000, 5, 0}, {4000, 9, 0}, {5000, 20, 0}, {6000, 12, 0},
                                    {7000, 13, 0}, {8000, 15, 0});
    CU_ASSERT_EQUAL(kib_of(found, 1), 4000);
    CU_ASSERT_EQUAL(kib_of(found, 2), 8000);
    CU_ASSERT(near(row_of(found, 2).plateau_ns, (12 + 2 * 13) / 3.0));
    CU_ASSERT_EQUAL(row_of(found, 2).bytes_min, 7000 * 1024);
    /* the first level third from the end: the segment starts one before the last point */
    found = FOUND(32, {3000, 5, 0}, {4000, 9, 0}, {5000, 12, 0}, {6000, 30, 0});
    CU_ASSERT_EQUAL(kib_of(found, 2), 6000);
    CU_ASSERT_EQUAL(row_of(found, 2).plateau_ns, 12);
    found = FOUND(32, {2500, 5, 0}, {3000, 9, 0}, {4000, 12, 0}, {5000, 30, 0});
    CU_ASSERT_EQUAL(kib_of(found, 2), 5000);
    /* among the last two points: not looked for */
    CU_ASSERT_EQUAL(FOUND(32, {3000, 5, 0}, {4000, 9, 0}, {5000, 30, 0}).count, 2 - 1);
    CU_ASSERT_EQUAL(FOUND(32, {3000, 5, 0}, {4000, 5, 0}, {5000, 9, 0}, {6000, 30, 0}).count, 1);
}

TEST(entries_and_their_range)
{
    struct boundary first = row_of(FOUND(32, {3074, 5, 0}, {4103, 9, 0}), 1);
    CU_ASSERT_EQUAL(first.entries_min, 768);
    CU_ASSERT_EQUAL(first.entries_max, 1025);
    CU_ASSERT_EQUAL(first.entries, 896); /* 768 + (1025 − 768) / 2 */
}

/* Comparison points, other layouts, spacings, page sizes, kernels and buffers are no part of it.
 */
TEST(reads_one_curve_alone)
{
    struct boundaries found = {0};
    struct series series;
    struct point like = point_at(16), others[6];
    series_init(&series);
    add_row(&series, (struct row){8192, 9, 0});
    add_row(&series, (struct row){4096, 5, 0});
    add_row(&series, (struct row){6144, 9, 0});
    for (int i = 0; i < 6; i++)
        others[i] = point_at(5120);
    others[0].role = ROLE_COMPARISON;
    others[1].layout = &layouts[LAYOUT_LINE];
    others[2].spacing = 128;
    others[3].page_bytes = 2 * PAGE;
    others[4].kernel = &kernels[KERNEL_LINEAR];
    others[5].buffer = 1 << 30;
    for (int i = 0; i < 6; i++)
        add(&series, &others[i], 100);
    series_sort(&series);
    segment_detect(&series, &like, 32 << 10, 0, &found);
    boundaries_judge(&found, NULL);
    series_free(&series);
    CU_ASSERT_EQUAL_FATAL(found.count, 1);
    CU_ASSERT_EQUAL(found.at[0].bytes_min, 4096 * 1024);
    CU_ASSERT_EQUAL(found.at[0].bytes_max, 6144 * 1024);
    CU_ASSERT_EQUAL(found.at[0].plateau_ns, 5);
}

TEST(a_curve_without_a_step_has_no_boundary)
{
    CU_ASSERT_EQUAL(found_on(NULL, 0, 32).count, 0);
    CU_ASSERT_EQUAL(FOUND(32, {4096, 5, 0}).count, 0);
    CU_ASSERT_EQUAL(FOUND(32, {512, 5, 0}, {1024, 5, 0}, {4096, 6, 0}, {8192, 6.5, 0}).count, 0);
    CU_ASSERT_EQUAL(FOUND(32, {512, 50, 0}, {1024, 30, 0}, {4096, 20, 0}, {8192, 10, 0}).count, 0);
}

/* The whitepaper's example (§10): flat to 3 MiB, a step at 4 MiB, pages of 16 KiB, L1D 128 KiB. */
TEST(the_worked_example_gives_its_published_answer)
{
    static const unsigned kib[] = {16,    32,    64,    96,    128,   192,   256,  384,  512,
                                   768,   1024,  1536,  2048,  3072,  4096,  6144, 8192, 10240,
                                   12288, 14336, 16384, 24576, 32768, 49152, 65536};
    struct boundaries found = {0};
    struct series series;
    struct point point = point_at(16);
    series_init(&series);
    for (size_t i = 0; i < sizeof kib / sizeof *kib; i++) {
        point = point_at(kib[i]);
        point.page_bytes = 16384;
        add(&series, &point, kib[i] < 4096 ? 0.9 : 3.0);
    }
    segment_detect(&series, &point, 128 << 10, 0, &found);
    boundaries_judge(&found, NULL);
    series_free(&series);
    CU_ASSERT_EQUAL_FATAL(found.count, 1);
    CU_ASSERT_EQUAL(found.at[0].bytes_max, 4096 * 1024);
    CU_ASSERT_EQUAL(found.at[0].entries_min, 192);
    CU_ASSERT_EQUAL(found.at[0].entries_max, 256);
    CU_ASSERT_EQUAL(found.at[0].entries, 224);
}
