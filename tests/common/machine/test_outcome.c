/* test_outcome.c: outcomes of requests to the platform, as text and compared.
 *
 *     bin/.obj/plain/tests/common/machine/test_outcome
 */
#include "machine/outcome.h"
#include "tap.h"
#include <stdio.h>

static const struct platform_outcome yes = {.verdict = PLATFORM_YES};
static const struct platform_outcome hint = {.verdict = PLATFORM_HINT, .why = "a hint"};
static const struct platform_outcome no = {.verdict = PLATFORM_NO, .why = "refused"};
static const struct platform_outcome other_no = {.verdict = PLATFORM_NO, .why = "later"};

TEST(has_its_word_and_the_reason)
{
    char text[OUTCOME_ROOM];
    CU_ASSERT_STRING_EQUAL(outcome_text(yes, text), "yes");
    CU_ASSERT_STRING_EQUAL(outcome_text(hint, text), "hint (a hint)");
    CU_ASSERT_STRING_EQUAL(outcome_keep(no), "no (refused)");
}

/* The worse of two as text, the first of them first. */
static const char *worse(struct platform_outcome first, const struct platform_outcome *second)
{
    outcome_keep_worse(&first, second);
    return outcome_keep(first);
}

TEST(a_no_replaces_a_hint_and_the_first_of_two_stays)
{
    CU_ASSERT_STRING_EQUAL(worse(yes, &hint), "hint (a hint)");
    CU_ASSERT_STRING_EQUAL(worse(hint, &no), "no (refused)");
    CU_ASSERT_STRING_EQUAL(worse(no, &hint), "no (refused)");
    CU_ASSERT_STRING_EQUAL(worse(no, &yes), "no (refused)");
    CU_ASSERT_STRING_EQUAL(worse(no, &other_no), "no (refused)");
    CU_ASSERT_STRING_EQUAL(worse(yes, &yes), "yes");
}
