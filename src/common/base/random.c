/* random.c: seeded random numbers: xoshiro256** (Blackman & Vigna 2018), seeded by splitmix64. The
 * same seed gives the same numbers on every machine.
 *
 *     struct random random;
 *     random_seed(&random, 42, random_mix(pages, sample));
 *     uint64_t die = 1 + random_below(&random, 6);
 */
#include "base/random.h"
#include "platform.h"
#include <math.h>
#include <time.h>

static const uint64_t golden = 0x9e3779b97f4a7c15; /* 2^64 / the golden ratio: splitmix64's step */

/* The output function of splitmix64: a bijection that spreads every input bit over the output. */
static uint64_t scramble(uint64_t x)
{
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
    x = (x ^ x >> 27) * 0x94d049bb133111eb;
    return x ^ x >> 31;
}

static uint64_t rotate_left(uint64_t x, int k)
{
    return x << k | x >> (64 - k);
}

void random_seed(struct random *random, uint64_t seed, uint64_t stream)
{
    uint64_t x = random_mix(seed, stream);
    for (int i = 0; i < 4; i++)
        random->state[i] = scramble(x += golden);
}

uint64_t random_next(struct random *random)
{
    uint64_t *s = random->state;
    uint64_t result = rotate_left(s[1] * 5, 7) * 9;
    uint64_t shifted = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= shifted;
    s[3] = rotate_left(s[3], 45);
    return result;
}

uint64_t random_below(struct random *random, uint64_t bound)
{
    if (bound <= UINT32_MAX) { /* by multiplication (Lemire 2019): chains draw millions of these */
        uint32_t rejected = (uint32_t)((0x100000000 - bound) % bound);
        uint64_t product;
        do
            product = (random_next(random) >> 32) * bound;
        while ((uint32_t)product < rejected);
        return product >> 32;
    }
    uint64_t rejected = -bound % bound, x; /* 2^64 mod bound */
    do
        x = random_next(random);
    while (x < rejected);
    return x % bound;
}

void random_shuffle(uint32_t *numbers, uint64_t count, struct random *random)
{
    for (uint64_t i = count; i > 1; i--) {
        uint64_t j = random_below(random, i);
        uint32_t swapped = numbers[i - 1];
        numbers[i - 1] = numbers[j];
        numbers[j] = swapped;
    }
}

double random_unit(struct random *random)
{
    return (double)(random_next(random) >> 11) * 0x1p-53;
}

double random_normal(struct random *random)
{
    const double two_pi = 6.283185307179586;
    double radius = sqrt(-2 * log(1 - random_unit(random))); /* 1 − u is never 0 */
    return radius * cos(two_pi * random_unit(random));
}

uint64_t random_mix(uint64_t a, uint64_t b)
{
    return scramble(scramble(a + golden) + b);
}

uint64_t random_fresh_seed(void)
{
    return random_mix((uint64_t)time(NULL), platform_now_ns()) >> 32; /* short enough to type */
}
