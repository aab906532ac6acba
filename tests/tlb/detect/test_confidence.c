/* test_confidence.c: the one judge: what makes an answer high, medium or low.
 *
 *     bin/.obj/plain/tests/tlb/detect/test_confidence
 */
#include "tap.h"
#include "tlb/detect/boundary.h"
#include <math.h>

static enum confidence judged(double errors, int criteria)
{
    struct evidence evidence = {.errors = errors, .criteria = criteria};
    return confidence_of(&evidence, &(struct note){0});
}

static void the_least_of_criteria_and_errors_decides(void)
{
    CU_ASSERT_EQUAL(judged(INFINITY, 2), CONFIDENCE_HIGH);
    CU_ASSERT_EQUAL(judged(INFINITY, 1), CONFIDENCE_MEDIUM);
    CU_ASSERT_EQUAL(judged(INFINITY, 0), CONFIDENCE_LOW);
    CU_ASSERT_EQUAL(judged(12, 2), CONFIDENCE_HIGH);
    CU_ASSERT_EQUAL(judged(11.9, 2), CONFIDENCE_MEDIUM);
    CU_ASSERT_EQUAL(judged(5.9, 2), CONFIDENCE_LOW);
}

static void a_doubt_in_the_note_lowers_it(void)
{
    struct evidence sure = {.errors = INFINITY, .criteria = 2};
    struct note note = {0};
    note_add(&note, NOTE_COALESCED); /* no doubt */
    CU_ASSERT_EQUAL(confidence_of(&sure, &note), CONFIDENCE_HIGH);
    note_add(&note, NOTE_INTERFERENCE);
    CU_ASSERT_EQUAL(confidence_of(&sure, &note), CONFIDENCE_MEDIUM);
    note_add(&note, NOTE_AT_END_OF_SWEEP);
    CU_ASSERT_EQUAL(confidence_of(&sure, &note), CONFIDENCE_LOW);
}

static void rows_are_judged_by_their_evidence_and_notes(void)
{
    struct boundaries found = {.count = 0};
    for (int criteria = 0; criteria < 3; criteria++)
        boundary_add(&found, STRUCTURE_DTLB, criteria, "control")->evidence = (struct evidence){
            .errors = INFINITY, .criteria = criteria};
    note_add(&boundary_add(&found, STRUCTURE_DTLB, 4, "control")->note, NOTE_WITHIN_RISE);
    found.at[3].evidence = (struct evidence){.errors = INFINITY, .criteria = 2};
    boundaries_judge(&found);
    CU_ASSERT_EQUAL(found.at[0].confidence, CONFIDENCE_LOW);
    CU_ASSERT_EQUAL(found.at[1].confidence, CONFIDENCE_MEDIUM);
    CU_ASSERT_EQUAL(found.at[2].confidence, CONFIDENCE_HIGH);
    CU_ASSERT_EQUAL(found.at[3].confidence, CONFIDENCE_LOW);
}

int main(void)
{
    TAP_SUITE("confidence",
              {"the worst of criteria and standard errors decides",
               the_least_of_criteria_and_errors_decides},
              {"a doubt in the note lowers it", a_doubt_in_the_note_lowers_it},
              {"rows are judged by their evidence and notes",
               rows_are_judged_by_their_evidence_and_notes});
    return tap_run();
}
