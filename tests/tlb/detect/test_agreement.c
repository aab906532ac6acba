/* test_agreement.c: what is said of several runs.
 *
 *     bin/.obj/plain/tests/tlb/detect/test_agreement
 */
#include "tap.h"
#include "tlb/detect/agreement.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static char said[1024];

static void say(const char *line)
{
    strcat(said, line);
    strcat(said, "\n");
}

/* A row of the file `run`. */
#define ROW(structure_, level_, backing_, run, at, least, most)                                    \
    {                                                                                              \
        .structure = STRUCTURE_##structure_, .level = (level_),                                    \
        .backing = &backings[BACKING_##backing_], .label = {.file = (run)}, .entries = (at),       \
        .entries_min = (least), .entries_max = (most)                                              \
    }

static const char *tell(const struct boundary *rows, size_t count, size_t runs)
{
    *said = '\0';
    agreement_report(rows, count, runs, say);
    return said;
}

TEST(runs_that_agree_are_counted_together)
{
    const struct boundary rows[] = {
        ROW(DTLB, 1, SCATTERED, "a", 96, 96, 96),
        ROW(DTLB, 2, SCATTERED, "a", 1989, 1701, 2113),
        ROW(DTLB, 1, SCATTERED, "b", 96, 95, 96),
        ROW(DTLB, 2, SCATTERED, "b", 2201, 1871, 2338),
        ROW(DTLB, 1, SCATTERED, "c", 96, 96, 96),
        ROW(DTLB, 2, SCATTERED, "c", 2050, 1800, 2200),
        ROW(CACHE, 0, SCATTERED, "c", 100, 100, 100),
        ROW(CACHE, 0, SCATTERED, "b", 100, 100, 100),
    };
    CU_ASSERT_STRING_EQUAL(tell(rows, 8, 3), "dtlb 1: 96 in 3 of 3 runs\n"
                                             "dtlb 2: 1989-2201 (median 2050) in 3 of 3 runs\n");
    CU_ASSERT_STRING_EQUAL(tell(rows, 4, 3), "dtlb 1: 96 in 2 of 3 runs\n"
                                             "dtlb 2: 1989-2201 (median 1989) in 2 of 3 runs\n");
    CU_ASSERT_STRING_EQUAL(tell(rows, 0, 3), "");
}

/* A run that has another answer does not widen that of the others. */
TEST(runs_that_do_not_are_named)
{
    const struct boundary rows[] = {
        ROW(DTLB, 1, SCATTERED, "a", 96, 96, 96),    ROW(DTLB, 1, SCATTERED, "b", 48, 48, 48),
        ROW(DTLB, 1, SCATTERED, "c", 96, 96, 96),    ROW(DTLB, 1, SCATTERED, "d", 95, 95, 95),
        ROW(DTLB, 1, SCATTERED, "e", 96, 96, 96),    ROW(DTLB, 1, SCATTERED, "e", 50, 50, 50),
        ROW(DTLB, 1, SCATTERED, "f", NAN, NAN, NAN),
    };
    CU_ASSERT_STRING_EQUAL(tell(rows, 7, 6), "dtlb 1: 96 in 3 of 6 runs; 48 in b; 95 in d\n");
}

TEST(kinds_are_kept_apart)
{
    const struct boundary rows[] = {
        ROW(DTLB, 1, SCATTERED, "a", 72, 72, 72),
        ROW(DTLB, 1, CONTIGUOUS, "a", 70, 70, 70),
        ROW(DTLB, 1, HUGE, "a", 32, 32, 32),
        ROW(DTLB, 1, SCATTERED, "b", 72, 72, 72),
    };
    CU_ASSERT_STRING_EQUAL(tell(rows, 4, 2), "dtlb 1: 72 in 2 of 2 runs\n"
                                             "dtlb 1 contiguous: 70 in 1 of 2 runs\n"
                                             "dtlb 1 huge: 32 in 1 of 2 runs\n");
}

TEST(many_names_are_cut_off)
{
    struct boundary rows[200];
    for (int i = 0; i < 200; i++)
        rows[i] = (struct boundary)ROW(DTLB, 1, SCATTERED, "a long name of a file", i, i, i);
    char names[200][40];
    for (int i = 0; i < 200; i++) {
        snprintf(names[i], sizeof names[i], "run number %d of very many", i);
        rows[i].label.file = names[i];
    }
    CU_ASSERT_EQUAL(strlen(tell(rows, 200, 200)), 400);
}

/* Levels belong together by structure, number and kind of page; anything within the range is no
 * change. */
TEST(from_one_answer_to_another)
{
    char text[128];
    const struct boundaries first = {
        .at = {{.structure = STRUCTURE_DTLB,
                .level = 1,
                .entries = 72,
                .entries_min = 72,
                .entries_max = 72},
               {.structure = STRUCTURE_DTLB,
                .level = 2,
                .entries = 90,
                .entries_min = 80,
                .entries_max = 99},
               {.structure = STRUCTURE_CACHE, .entries = 7, .entries_min = 7, .entries_max = 7}},
        .count = 3};
    struct boundaries other = first;
    other.at[1].entries = 98;
    agreement_diff(&first, &other, text, sizeof text);
    CU_ASSERT_STRING_EQUAL(text, "");
    other.at[0].entries = 71;
    other.at[1].entries = 100;
    other.at[2].backing = &backings[BACKING_HUGE];
    agreement_diff(&first, &other, text, sizeof text);
    CU_ASSERT_STRING_EQUAL(text, "dtlb 1: 71, not 72; dtlb 2: 100, not 90; cache: none, not 7; "
                                 "cache: 7, not none");
    other = first;
    other.at[2].entries = NAN;
    agreement_diff(&first, &other, text, sizeof text);
    CU_ASSERT_STRING_EQUAL(text, "cache: unknown, not 7");
    agreement_diff(&first, &other, text, 12);
    CU_ASSERT_STRING_EQUAL(text, "cache: unkn");
}
