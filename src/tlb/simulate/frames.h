/* frames.h: the page frame under each page of a simulated machine. */
#ifndef TLBLAB_SIMULATE_FRAMES_H
#define TLBLAB_SIMULATE_FRAMES_H

#include "base/random.h"
#include <stdint.h>

/* A random permutation of all page frames of the memory. */
struct frames {
    uint64_t count, mask, key[4]; /* private */
    unsigned half;
};

/* Draws a permutation of `count` frames, at least one. */
struct frames frames_draw(uint64_t count, struct random *random);

/* The frame under page i < count; no two pages share a frame. */
uint64_t frames_at(const struct frames *frames, uint64_t i);

#endif
