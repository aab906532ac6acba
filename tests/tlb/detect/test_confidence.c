/* test_confidence.c: the one judge: what makes an answer high, medium or low.
 *
 *     bin/.obj/plain/tests/tlb/detect/test_confidence
 */
#include "tap.h"
#include "tlb/detect/boundary.h"
#include <math.h>

static enum confidence judged(double errors, double width, int signs)
{
    struct evidence evidence = {.errors = errors, .width = width, .signs = signs};
    return confidence_of(&evidence, &(struct note){0});
}

static void the_least_of_signs_errors_and_width_decides(void)
{
    CU_ASSERT_EQUAL(judged(INFINITY, 0, 2), CONFIDENCE_HIGH);
    CU_ASSERT_EQUAL(judged(INFINITY, 0, 1), CONFIDENCE_MEDIUM);
    CU_ASSERT_EQUAL(judged(INFINITY, 0, 0), CONFIDENCE_LOW);
    CU_ASSERT_EQUAL(judged(12, 0.01, 2), CONFIDENCE_HIGH);
    CU_ASSERT_EQUAL(judged(11.9, 0.01, 2), CONFIDENCE_MEDIUM);
    CU_ASSERT_EQUAL(judged(5.9, 0.01, 2), CONFIDENCE_LOW);
    CU_ASSERT_EQUAL(judged(12, 0.011, 2), CONFIDENCE_MEDIUM);
    CU_ASSERT_EQUAL(judged(12, 0.11, 2), CONFIDENCE_LOW);
}

static void a_doubt_in_the_note_lowers_it(void)
{
    struct evidence sure = {.errors = INFINITY, .signs = 2};
    struct note note = {0};
    note_add(&note, NOTE_COALESCED); /* no doubt */
    CU_ASSERT_EQUAL(confidence_of(&sure, &note), CONFIDENCE_HIGH);
    note_add(&note, NOTE_INTERFERENCE);
    CU_ASSERT_EQUAL(confidence_of(&sure, &note), CONFIDENCE_MEDIUM);
    note_add(&note, NOTE_AT_END_OF_SWEEP);
    CU_ASSERT_EQUAL(confidence_of(&sure, &note), CONFIDENCE_LOW);
}

/* Of a fit only, and a page more or less is no width. */
static void the_range_of_a_fit_counts(void)
{
    struct boundary b = boundary_missing;
    b.evidence.signs = 2;
    b.entries = 16;
    boundary_set_range(&b, 15, 20, 4096);
    boundary_judge(&b);
    CU_ASSERT_EQUAL(b.confidence, CONFIDENCE_HIGH);
    b.by_fit = true;
    boundary_judge(&b);
    CU_ASSERT_EQUAL(b.confidence, CONFIDENCE_LOW);
    boundary_set_range(&b, 16, 17, 4096);
    boundary_judge(&b);
    CU_ASSERT_EQUAL(b.confidence, CONFIDENCE_HIGH);
    boundary_signs_at_most(&b, 1);
    CU_ASSERT_EQUAL(b.confidence, CONFIDENCE_MEDIUM);
    boundary_doubt(&b, NOTE_CANNOT_TELL);
    CU_ASSERT_EQUAL(b.confidence, CONFIDENCE_LOW);
}

int main(void)
{
    TAP_SUITE("confidence",
              {"the worst of signs, standard errors and width decides",
               the_least_of_signs_errors_and_width_decides},
              {"a doubt in the note lowers it", a_doubt_in_the_note_lowers_it},
              {"the range of a fit counts", the_range_of_a_fit_counts});
    return tap_run();
}
