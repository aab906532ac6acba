/* test_saving.c: what huge pages save, from pairs of times.
 *
 *     bin/.obj/plain/tests/trace/test_saving
 */
#include "base/random.h"
#include "tap.h"
#include "trace/saving/saving.h"
#include <math.h>

enum { PAIRS = 12 };

TEST(a_saving_is_in_per_cent_of_the_time_on_base_pages)
{
    double base[PAIRS], huge[PAIRS];
    for (int i = 0; i < PAIRS; i++) {
        base[i] = 1 + i;
        huge[i] = 0.75 * base[i];
    }
    base[3] = 0; /* no time: the pair is left out */
    struct saving s = saving_of_pairs(base, huge, PAIRS, 0.99);
    CU_ASSERT_DOUBLE_EQUAL(s.percent, 25, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(s.low, 25, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(s.high, 25, 1e-9);
    s = saving_of_pairs(huge, base, PAIRS, 0.99);
    CU_ASSERT_DOUBLE_EQUAL(s.percent, -100.0 / 3, 1e-9);
    CU_ASSERT(isinf(saving_of_pairs(base, huge, 4, 0.99).low));
}

TEST(pairs_decide_where_a_difference_is_shown_or_none_can_matter)
{
    static const struct {
        struct saving saving;
        bool shown, decided;
    } of[] = {{{5, 0.1, 9}, true, true},        {{-5, -9, -0.1}, true, true},
              {{5, -0.1, 9}, false, false},     {{0.2, -0.9, 0.9}, false, true},
              {{0.2, -0.9, 1.1}, false, false}, {{0.9, 0.5, 1.3}, false, false},
              {{0.5, 0.2, 0.9}, false, true},   {{0, -INFINITY, INFINITY}, false, false}};
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        CU_ASSERT_EQUAL(saving_is_shown(&of[i].saving, 1), of[i].shown);
        CU_ASSERT_EQUAL(saving_is_decided(&of[i].saving, 1), of[i].decided);
    }
}

/* Pairs of which nothing is different: a difference is shown in any of three comparisons at most
 * as often as the confidence leaves. */
TEST(three_looks_err_no_more_often_than_one_may)
{
    enum { TRIALS = 1500, MOST = 48 };
    double base[MOST], huge[MOST], each = saving_confidence_each(0.9, PAIRS, MOST);
    struct random random;
    int shown = 0;
    CU_ASSERT_DOUBLE_EQUAL(saving_confidence_each(0.99, 12, 12), 0.99, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(each, 1 - 0.1 / 3, 1e-12);
    CU_ASSERT_EQUAL(saving_pairs_next(12, 48), 24);
    CU_ASSERT_EQUAL(saving_pairs_next(24, 40), 40);
    random_seed(&random, 7, 0);
    for (int trial = 0; trial < TRIALS; trial++) {
        bool once = false;
        for (int i = 0; i < MOST; i++) {
            base[i] = 1 + (double)random_below(&random, 1 << 20) / (1 << 20);
            huge[i] = 1 + (double)random_below(&random, 1 << 20) / (1 << 20);
        }
        for (size_t n = PAIRS; n <= MOST; n *= 2) {
            struct saving s = saving_of_pairs(base, huge, n, each);
            once |= saving_is_shown(&s, 0);
        }
        shown += once;
    }
    CU_ASSERT(shown < TRIALS / 10);
    CU_ASSERT(shown > TRIALS / 50);
}
