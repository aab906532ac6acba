/* test_agreement.c: what is said of several runs, and the words of notes.
 *
 *     bin/.obj/plain/unit/test_agreement
 */
#include "base/note.h"
#include "detect/agreement.h"
#include "detect/boundary_diff.h"
#include "tap.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static char said[1024];

static void say(const char *line)
{
    strcat(said, line);
    strcat(said, "\n");
}

static const char *tell(const struct answer *answers, size_t count, size_t runs)
{
    *said = '\0';
    agreement_tell(answers, count, runs, say);
    return said;
}

static void runs_that_agree(void)
{
    const struct answer answers[] = {
        {"dtlb", "1", "", "a", 96, 96, 96},    {"dtlb", "2", "", "a", 1989, 1701, 2113},
        {"dtlb", "1", "", "b", 96, 95, 96},    {"dtlb", "2", "", "b", 2201, 1871, 2338},
        {"dtlb", "1", "", "c", 96, 96, 96},    {"dtlb", "2", "", "c", 2050, 1800, 2200},
        {"cache", "", "", "c", 100, 100, 100}, {"cache", "-", "", "b", 100, 100, 100},
    };
    CU_ASSERT_STRING_EQUAL(tell(answers, 8, 3), "dtlb 1: 96 in 3 of 3 runs\n"
                                                "dtlb 2: 1989-2201 (median 2050) in 3 of 3 runs\n");
    CU_ASSERT_STRING_EQUAL(tell(answers, 4, 3), "dtlb 1: 96 in 2 of 3 runs\n"
                                                "dtlb 2: 1989-2201 (median 1989) in 2 of 3 runs\n");
    CU_ASSERT_STRING_EQUAL(tell(answers, 0, 3), "");
}

/* A run that has another answer does not widen that of the others. */
static void runs_that_do_not(void)
{
    const struct answer answers[] = {
        {"dtlb", "1", "", "a", 96, 96, 96},    {"dtlb", "1", "", "b", 48, 48, 48},
        {"dtlb", "1", "", "c", 96, 96, 96},    {"dtlb", "1", "", "d", 95, 95, 95},
        {"dtlb", "1", "", "e", 96, 96, 96},    {"dtlb", "1", "", "e", 50, 50, 50},
        {"dtlb", "1", "", "f", NAN, NAN, NAN},
    };
    CU_ASSERT_STRING_EQUAL(tell(answers, 7, 6), "dtlb 1: 96 in 3 of 6 runs; 48 in b; 95 in d\n");
}

static void kinds_are_kept_apart(void)
{
    const struct answer answers[] = {
        {"dtlb", "1", "interference", "a", 72, 72, 72},
        {"dtlb", "1", "contiguous,coalesced", "a", 70, 70, 70},
        {"dtlb", "1", "gradual,huge", "a", 32, 32, 32},
        {"dtlb", "1", "", "b", 72, 72, 72},
    };
    CU_ASSERT_STRING_EQUAL(tell(answers, 4, 2), "dtlb 1: 72 in 2 of 2 runs\n"
                                                "dtlb 1 contiguous: 70 in 1 of 2 runs\n"
                                                "dtlb 1 huge: 32 in 1 of 2 runs\n");
}

static void many_runs_are_cut_off(void)
{
    struct answer answers[200];
    for (int i = 0; i < 200; i++)
        answers[i] = (struct answer){"dtlb", "1", "", "a long name of a file", i, i, i};
    char names[200][40];
    for (int i = 0; i < 200; i++) {
        snprintf(names[i], sizeof names[i], "run number %d of very many", i);
        answers[i].run = names[i];
    }
    CU_ASSERT_EQUAL(strlen(tell(answers, 200, 200)), 400);
}

static void notes_have_words(void)
{
    char note[24] = "";
    CU_ASSERT_FALSE(note_has(note, "gradual"));
    note_add(note, sizeof note, "gradual");
    note_add(note, sizeof note, "reach=32");
    CU_ASSERT_STRING_EQUAL(note, "gradual,reach=32");
    CU_ASSERT_TRUE(note_has(note, "gradual"));
    CU_ASSERT_FALSE(note_has(note, "grad"));
    CU_ASSERT_FALSE(note_has(note, "reach"));
    CU_ASSERT_FALSE(note_has(note, "ual"));
    CU_ASSERT_EQUAL(note_number(note, "reach"), 32);
    CU_ASSERT_TRUE(isnan(note_number(note, "gradual")));
    CU_ASSERT_TRUE(isnan(note_number(note, "each")));
    note_add(note, sizeof note, "at_end_of_sweep"); /* no room for all of it */
    CU_ASSERT_STRING_EQUAL(note, "gradual,reach=32,at_end");
    CU_ASSERT_TRUE(note_has("no_control,control", "control"));
}

/* Levels belong together by structure, number and kind of page; what lies within the range is no
 * change. */
static void what_changes(void)
{
    char text[128];
    const struct boundaries first = {
        .at =
            {{.structure = "dtlb", .level = 1, .entries = 72, .entries_min = 72, .entries_max = 72},
             {.structure = "dtlb", .level = 2, .entries = 90, .entries_min = 80, .entries_max = 99},
             {.structure = "cache", .entries = 7, .entries_min = 7, .entries_max = 7}},
        .count = 3};
    struct boundaries other = first;
    other.at[1].entries = 98;
    boundary_diff(&first, &other, text, sizeof text);
    CU_ASSERT_STRING_EQUAL(text, "");
    other.at[0].entries = 71;
    other.at[1].entries = 100;
    strcpy(other.at[2].note, "huge");
    boundary_diff(&first, &other, text, sizeof text);
    CU_ASSERT_STRING_EQUAL(text, "; dtlb 1: 71, not 72; dtlb 2: 100, not 90; cache: not found; "
                                 "cache: 7 where there is none");
    other = first;
    other.at[2].entries = NAN;
    boundary_diff(&first, &other, text, sizeof text);
    CU_ASSERT_STRING_EQUAL(text, "; cache: unknown, not 7");
    boundary_diff(&first, &other, text, 12);
    CU_ASSERT_STRING_EQUAL(text, "; cache: un");
}

int main(void)
{
    TAP_SUITE("agreement", {"runs that agree", runs_that_agree},
              {"runs that do not are named", runs_that_do_not},
              {"kinds are kept apart", kinds_are_kept_apart},
              {"many names are cut off", many_runs_are_cut_off});
    TAP_SUITE("changes", {"from one answer to another", what_changes});
    TAP_SUITE("note", {"words and numbers", notes_have_words});
    return tap_run();
}
