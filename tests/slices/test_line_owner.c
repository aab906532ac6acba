/* test_line_owner.c: which counts are believed, and events from the terms of recorded machines.
 *
 *     bin/.obj/plain/tests/slices/test_line_owner
 */
#include "slices/counters/line_owner.h"
#include "slices/hash/random_hash.h"
#include "tap.h"
#include <stdlib.h>

static int owner_of(uint64_t a, uint64_t b, uint64_t c, uint64_t d)
{
    const uint64_t counts[] = {a, b, c, d};
    bool sure;
    return owner_of_counts(counts, 4, 1000, &sure);
}

TEST(counts_that_are_believed)
{
    CU_ASSERT_EQUAL(owner_of(1000, 0, 0, 0), 0);
    CU_ASSERT_EQUAL(owner_of(10, 20, 960, 30), 2);
    CU_ASSERT_EQUAL(owner_of(0, 900, 600, 1004), 3); /* others' mean is 375 */
    CU_ASSERT_EQUAL(owner_of(0, 0, 3000, 0), 2);
}

TEST(counts_that_are_not)
{
    CU_ASSERT_EQUAL(owner_of(950, 0, 0, 0), SLICE_MISSING);        /* not above 95 % */
    CU_ASSERT_EQUAL(owner_of(1000, 950, 0, 0), SLICE_MISSING);     /* two at 95 % */
    CU_ASSERT_EQUAL(owner_of(200, 200, 200, 1000), SLICE_MISSING); /* the fewest not below 20 % */
    CU_ASSERT_EQUAL(owner_of(0, 900, 700, 1000), SLICE_MISSING);   /* the mean not below 40 % */
    CU_ASSERT_EQUAL(owner_of(0, 0, 0, 0), SLICE_MISSING);
}

static struct slice_hash small_hash(void)
{
    const struct random_hash wanted = {.slices = 4, .index_bits = 5, .top_bit = 30, .seed = 1};
    return random_hash_make(&wanted);
}

/* All lines of a simulated page of 1 MiB have their owner, or none where it counts nothing. */
static void check_page(const struct uncore_disturbance *disturbance, bool rests)
{
    struct slice_hash hash = small_hash();
    struct uncore u;
    char why[PLATFORM_WHY_ROOM];
    uint64_t paddr;
    size_t right = 0, missing = 0, silent = 0;
    uncore_simulated(&u, &hash, 1 << 16, 1 << 16, disturbance);
    if (rests) /* too loud to try events */
        u.candidate = 1;
    else
        CU_ASSERT_TRUE_FATAL(choose_event(&u, 1000, why));
    CU_ASSERT_EQUAL(u.candidate, 1);
    for (size_t offset = 0; offset < 1 << 16; offset += 64) {
        struct owner owner = line_owner(&u, offset, 1000);
        u.physical(u.context, offset, &paddr, why);
        silent += (uint64_t)slice_of(&hash, paddr) < disturbance->silent;
        right += owner.slice == slice_of(&hash, paddr);
        missing += owner.slice < 0;
    }
    CU_ASSERT_TRUE(rests ? missing > 0 && missing < 512 : missing == silent); /* the rest gave up */
    CU_ASSERT_EQUAL(right + missing, 1024);
    CU_ASSERT_EQUAL(uncore_simulated_slept(&u) > 0, rests);
    u.close(u.context);
    slice_hash_free(&hash);
}

TEST(a_quiet_machine_every_line_has_its_owner)
{
    check_page(&(struct uncore_disturbance){.seed = 1}, false);
}

TEST(others_cost_time_not_answers)
{
    check_page(&(struct uncore_disturbance){.background = 0.1, .bursts = 0.1, .seed = 2}, false);
    check_page(&(struct uncore_disturbance){.bursts = 0.9, .seed = 3}, true);
}

TEST(the_lines_of_a_slice_that_counts_nothing_are_missing)
{
    check_page(&(struct uncore_disturbance){.silent = 1, .seed = 4}, false);
}

TEST(no_event_counts_one_lookup_a_load)
{
    struct slice_hash hash = small_hash();
    struct uncore u;
    char why[PLATFORM_WHY_ROOM];
    uncore_simulated(&u, &hash, 1 << 16, 1 << 16, &(struct uncore_disturbance){.seed = 1});
    u.candidates = 1; /* the one that counts twice */
    CU_ASSERT_FALSE(choose_event(&u, 1000, why));
    CU_ASSERT_NOT_EQUAL(why[0], '\0');
    u.close(u.context);
    slice_hash_free(&hash);
}
