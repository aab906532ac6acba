/* test_random.c: the generator against its published values, bounds, and independence of streams.
 *
 *     bin/.obj/plain/tests/common/base/test_random
 */
#include "base/random.h"
#include "tap.h"
#include <math.h>
#include <stddef.h>

/* The first outputs of xoshiro256** from the state 1, 2, 3, 4, as the reference code gives them. */
TEST(gives_the_published_values)
{
    struct random random = {{1, 2, 3, 4}};
    CU_ASSERT_EQUAL(random_next(&random), 11520);
    CU_ASSERT_EQUAL(random_next(&random), 0);
    CU_ASSERT_EQUAL(random_next(&random), 1509978240);
    CU_ASSERT_EQUAL(random_next(&random), 1215971899390074240);
}

TEST(repeats_for_the_same_seed_and_stream_only)
{
    struct random a, b, other_stream, other_seed;
    random_seed(&a, 42, 7);
    random_seed(&b, 42, 7);
    random_seed(&other_stream, 42, 8);
    random_seed(&other_seed, 43, 7);
    int same_stream = 0, same_seed = 0;
    for (int i = 0; i < 1000; i++) {
        uint64_t x = random_next(&a);
        CU_ASSERT_EQUAL(x, random_next(&b));
        same_stream += x == random_next(&other_stream);
        same_seed += x == random_next(&other_seed);
    }
    CU_ASSERT_EQUAL(same_stream, 0);
    CU_ASSERT_EQUAL(same_seed, 0);
}

/* Every value is drawn about as often as any other: chi-square below its 99.99 % point. */
TEST(draws_below_a_bound_evenly)
{
    struct random random;
    random_seed(&random, 1, 0);
    for (int i = 0; i < 100; i++)
        CU_ASSERT_EQUAL(random_below(&random, 1), 0);
    enum { SIDES = 7, DRAWS = 70000 };
    int seen[SIDES] = {0};
    for (int i = 0; i < DRAWS; i++) {
        uint64_t x = random_below(&random, SIDES);
        CU_ASSERT_FATAL(x < SIDES);
        seen[x]++;
    }
    double chi = 0, expected = (double)DRAWS / SIDES;
    for (int i = 0; i < SIDES; i++)
        chi += (seen[i] - expected) * (seen[i] - expected) / expected;
    CU_ASSERT(chi < 27.9); /* six degrees of freedom */
}

/* Bounds where a plain remainder or a plain product would be far off: 3/4 of the range. */
TEST(draws_below_a_large_bound_evenly)
{
    static const uint64_t bounds[] = {0xc0000000, 0xc000000000000000};
    for (size_t b = 0; b < 2; b++) {
        struct random random;
        random_seed(&random, 5, b);
        int low = 0;
        for (int i = 0; i < 30000; i++) {
            uint64_t x = random_below(&random, bounds[b]);
            CU_ASSERT_FATAL(x < bounds[b]);
            low += x < bounds[b] / 3;
        }
        CU_ASSERT(low > 9500 && low < 10500); /* 10000 ± 6 standard deviations */
    }
}

TEST(has_the_moments_of_its_two_laws)
{
    struct random random;
    random_seed(&random, 3, 3);
    enum { DRAWS = 100000 };
    double sum = 0, squares = 0, units = 0;
    for (int i = 0; i < DRAWS; i++) {
        double u = random_unit(&random), z = random_normal(&random);
        CU_ASSERT_FATAL(u >= 0 && u < 1);
        CU_ASSERT_FATAL(isfinite(z));
        units += u;
        sum += z;
        squares += z * z;
    }
    CU_ASSERT_DOUBLE_EQUAL(units / DRAWS, 0.5, 0.006);
    CU_ASSERT_DOUBLE_EQUAL(sum / DRAWS, 0, 0.02);
    CU_ASSERT_DOUBLE_EQUAL(squares / DRAWS, 1, 0.03);
}

TEST(a_mix_depends_on_both_numbers)
{
    CU_ASSERT_NOT_EQUAL(random_mix(1, 2), random_mix(2, 1));
    CU_ASSERT_NOT_EQUAL(random_mix(0, 0), random_mix(0, 1));
    CU_ASSERT_NOT_EQUAL(random_mix(0, 0), random_mix(1, 0));
    int flipped = 0; /* one input bit turns about half of the output bits */
    for (uint64_t bit = 0; bit < 64; bit++)
        for (uint64_t x = random_mix(9, 9) ^ random_mix(9, 9 ^ (uint64_t)1 << bit); x; x &= x - 1)
            flipped++;
    CU_ASSERT(flipped > 64 * 28 && flipped < 64 * 36);
}
