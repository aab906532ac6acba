/* test_confidence.c: the one judge: what makes an answer high, medium or low.
 *
 *     bin/.obj/plain/tests/tlb/detect/test_confidence
 */
#include "tap.h"
#include "tlb/detect/boundary.h"

TEST(criteria_decide)
{
    const struct note none = {0};
    CU_ASSERT_EQUAL(confidence_of(2, &none), CONFIDENCE_HIGH);
    CU_ASSERT_EQUAL(confidence_of(1, &none), CONFIDENCE_MEDIUM);
    CU_ASSERT_EQUAL(confidence_of(0, &none), CONFIDENCE_LOW);
}

TEST(a_doubt_in_the_note_lowers_it)
{
    struct note note = {0};
    note_add(&note, NOTE_COALESCED); /* no doubt */
    CU_ASSERT_EQUAL(confidence_of(2, &note), CONFIDENCE_HIGH);
    note_add(&note, NOTE_INTERFERENCE);
    CU_ASSERT_EQUAL(confidence_of(2, &note), CONFIDENCE_MEDIUM);
    note_add(&note, NOTE_AT_END_OF_SWEEP);
    CU_ASSERT_EQUAL(confidence_of(2, &note), CONFIDENCE_LOW);
}

TEST(rows_are_judged_by_their_criteria_and_notes)
{
    struct boundaries found = {.count = 0};
    for (int criteria = 0; criteria < 3; criteria++)
        boundary_add(&found, STRUCTURE_DTLB, criteria, "control")->criteria = criteria;
    note_add(&boundary_add(&found, STRUCTURE_DTLB, 4, "control")->note, NOTE_WITHIN_RISE);
    found.at[3].criteria = 2;
    boundaries_judge(&found);
    CU_ASSERT_EQUAL(found.at[0].confidence, CONFIDENCE_LOW);
    CU_ASSERT_EQUAL(found.at[1].confidence, CONFIDENCE_MEDIUM);
    CU_ASSERT_EQUAL(found.at[2].confidence, CONFIDENCE_HIGH);
    CU_ASSERT_EQUAL(found.at[3].confidence, CONFIDENCE_LOW);
}
