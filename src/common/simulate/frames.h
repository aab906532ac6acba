/* frames.h: which page frames lie under the pages of a simulated machine. */
#ifndef TLBLAB_SIMULATE_FRAMES_H
#define TLBLAB_SIMULATE_FRAMES_H

#include "base/random.h"
#include <stdint.h>

/* A random order of all frames of the memory. */
struct frames {
    uint64_t count, mask, key[4]; /* private */
    unsigned half;
};

/* Draws the order of `count` frames, at least one. */
struct frames frames_draw(uint64_t count, struct random *random);

/* The frame under page i, for i below count: no two pages share one. */
uint64_t frames_at(const struct frames *frames, uint64_t i);

#endif
