/* random.h: seeded random numbers (xoshiro256**, Blackman & Vigna 2018, seeded by splitmix64). */
#ifndef TLBLAB_BASE_RANDOM_H
#define TLBLAB_BASE_RANDOM_H

#include <stdint.h>

struct random {
    uint64_t state[4];
};

/* Seeds the generator: the same (seed, stream) gives the same sequence; different streams of one
 * seed are independent. */
void random_seed(struct random *random, uint64_t seed, uint64_t stream);

uint64_t random_next(struct random *random);

/* Uniform in 0 … bound − 1, without bias (bound > 0). */
uint64_t random_below(struct random *random, uint64_t bound);

/* Uniform in [0, 1), and standard normal (Box–Muller). */
double random_unit(struct random *random);
double random_normal(struct random *random);

/* Shuffles numbers; every order is equally likely (Fisher & Yates). */
void random_shuffle(uint32_t *numbers, uint64_t count, struct random *random);

/* A 64-bit hash of two numbers (splitmix64's mixing), to combine several stream numbers into
 * one. */
uint64_t random_mix(uint64_t a, uint64_t b);

/* A seed from the clock, for runs without --seed; the metadata record it. */
uint64_t random_fresh_seed(void);

#endif
