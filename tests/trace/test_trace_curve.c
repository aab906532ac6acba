/* test_trace_curve.c: stack distances against a list that is searched, a trace worked out by hand,
 * and SHARDS against the exact curve.
 *
 *     bin/.obj/plain/tests/trace/test_trace_curve
 */
#include "base/random.h"
#include "tap.h"
#include "trace/tlbs/stack_distance.h"
#include <math.h>
#include <string.h>

/* a b c a b b d c: 0 0 0 3 3 1 0 4. With 3 entries there are 5 misses: a b c, d and the last c. */
TEST(a_trace_worked_out_by_hand)
{
    static const char trace[] = "abcabbdc";
    static const uint64_t expected[] = {0, 0, 0, 3, 3, 1, 0, 4};
    struct stack stack = {.now = 0};
    for (size_t i = 0; i < strlen(trace); i++)
        CU_ASSERT_EQUAL(stack_access(&stack, (uint64_t)trace[i]), expected[i]);
    stack_free(&stack);
}

enum { PAGES = 300, ACCESSES = 20000 };

/* The pages as a list, the last accessed first. */
static uint64_t list[PAGES];
static size_t listed;

static uint64_t search(uint64_t page)
{
    size_t at = 0;
    while (at < listed && list[at] != page)
        at++;
    uint64_t distance = at < listed ? at + 1 : 0;
    if (at == listed)
        listed++;
    memmove(list + 1, list, at * sizeof *list);
    list[0] = page;
    return distance;
}

TEST(distances_are_those_of_a_list_that_is_searched)
{
    struct random random;
    struct stack stack = {.now = 0};
    int differences = 0;
    random_seed(&random, 1, 2);
    for (int i = 0; i < ACCESSES; i++) {
        uint64_t page = random_below(&random, 1 + random_below(&random, PAGES)) << 40;
        differences += stack_access(&stack, page) != search(page);
        if (i % 1000 == 999) { /* forgets the one that was accessed last */
            stack_remove(&stack, list[0]);
            memmove(list, list + 1, --listed * sizeof *list);
        }
    }
    CU_ASSERT_EQUAL(differences, 0);
    stack_free(&stack);
}

/* Shared counts are between the distances that bound them. */
TEST(shared_counts_are_between_their_distances)
{
    struct distances d = {.coarse = true};
    for (uint64_t distance = 1; distance < 100000; distance += distance / 3 + 1) {
        for (size_t k = 0; k < d.room; k++)
            d.count[k] = 0;
        distances_add(&d, distance, 1);
        size_t k = 1;
        while (d.count[k] == 0)
            k++;
        CU_ASSERT(distances_last(&d, k) >= distance);
        CU_ASSERT(distances_last(&d, k - 1) < distance);
        CU_ASSERT((double)distances_last(&d, k) <= (double)distance * (1 + 1.0 / 64));
    }
    distances_free(&d);
}

/* Misses with `entries`, of all that were counted. */
static double misses(const struct distances *d, uint64_t entries)
{
    double sum = d->cold;
    for (size_t k = 1; k < d->room; k++)
        if (distances_last(d, k) > entries)
            sum += d->count[k];
    return sum;
}

/* Of a skewed trace over 8192 pages 512 are followed: chance decides whether a hot page is among
 * them, so that one curve may be off, but for other names of the same pages it is so the other way.
 */
TEST(curves_of_a_skewed_trace_are_right_on_the_average)
{
    enum { ACCESSES_EACH = 50000, SIZES = 7 };
    struct random random;
    double sum[SIZES] = {0}, worst = 0;
    int trials = tap_brief() ? 4 : 16;
    for (uint64_t trial = 0; trial < (uint64_t)trials; trial++) {
        struct stack stack = {.now = 0};
        struct distances exact = {0};
        struct shards shards;
        random_seed(&random, 3, trial);
        shards_open(&shards, 512);
        for (int i = 0; i < ACCESSES_EACH; i++) {
            uint64_t page = (uint64_t)(8192 * pow(random_unit(&random), 2)) | trial << 30;
            distances_add(&exact, stack_access(&stack, page), 1);
            shards_access(&shards, page);
        }
        CU_ASSERT(shards.count <= 512);
        shards_finish(&shards);
        for (int k = 0; k < SIZES; k++) {
            double error = misses(&shards.distances, 64u << k) - misses(&exact, 64u << k);
            sum[k] += error / ACCESSES_EACH;
            worst = fmax(worst, fabs(error) / ACCESSES_EACH);
        }
        shards_close(&shards);
        stack_free(&stack);
        distances_free(&exact);
    }
    CU_ASSERT(worst < 0.15);
    for (int k = 0; k < SIZES; k++)
        CU_ASSERT_DOUBLE_EQUAL(sum[k] / trials, 0, 0.1 / sqrt(trials)); /* two standard errors */
}

/* As long as all pages are followed nothing is approximate, but that distances share counts. */
TEST(as_long_as_all_pages_are_followed_it_is_exact)
{
    struct random random;
    struct stack stack = {.now = 0};
    struct distances exact = {0};
    struct shards shards;
    random_seed(&random, 8, 9);
    shards_open(&shards, 200);
    for (int i = 0; i < 20000; i++) {
        uint64_t page = random_below(&random, 100);
        distances_add(&exact, stack_access(&stack, page), 1);
        shards_access(&shards, page);
    }
    shards_finish(&shards);
    for (uint64_t entries = 1; entries < 100; entries++)
        CU_ASSERT_DOUBLE_EQUAL(misses(&shards.distances, entries), misses(&exact, entries), 1e-6);
    shards_close(&shards);
    stack_free(&stack);
    distances_free(&exact);
}

TEST(it_holds_what_was_put_in_and_not_taken_out)
{
    struct number_map map = {0};
    struct random random;
    random_seed(&random, 1, 1);
    static uint64_t values[1000];
    for (int i = 0; i < 50000; i++) {
        uint64_t key = random_below(&random, 1000);
        if (random_below(&random, 3) == 0) {
            number_map_remove(&map, key << 50);
            values[key] = 0;
        } else
            *number_map_at(&map, key << 50) = values[key] = random_next(&random) | 1;
    }
    size_t held = 0;
    for (uint64_t key = 0; key < 1000; key++)
        held += values[key] != 0;
    CU_ASSERT_EQUAL(map.count, held);
    for (uint64_t key = 0; key < 1000; key++)
        if (values[key] != 0)
            CU_ASSERT_EQUAL(*number_map_at(&map, key << 50), values[key]);
    number_map_free(&map);
}
