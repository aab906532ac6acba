/* noise.h: noise in the times of a simulated machine. */
#ifndef TLBLAB_SIMULATE_NOISE_H
#define TLBLAB_SIMULATE_NOISE_H

#include "access/point.h"
#include <stdint.h>

enum noise_kind {
    NOISE_GAUSS,
    NOISE_SPIKES,
    NOISE_DRIFT,
    NOISE_RAMP,
    NOISE_LOGNORMAL,
    NOISE_CLOCK,
    NOISE_FRAMES,
    NOISE_NEIGHBOUR, /* the share of entries that it takes; applied by model_beside_neighbour() */
    NOISE_TIMER,
    NOISE_KINDS
};

/* The amount of each kind, as a fraction; all zeros is no noise. simulate(1) defines the kinds. */
struct noise {
    double part[NOISE_KINDS];
    double duty, stretch_ns; /* a neighbour's share of the time, in stretches of this length */
    double timer_ns;         /* 0: exact */
};

/* Reads a comma list of KIND:PERCENT, timer:NS and neighbour:SHARE[:DUTY[:STRETCH_MS]]; "" is no
 * noise. Any other text is a usage error. */
void noise_parse(struct noise *noise, const char *list);

/* Adds noise to the exact times of a sample: ns, min_ns and laps, run_s and proc_s, rounded to 1e-6
 * ns. An access takes extra_ns longer while the neighbour is present. The noise depends only on the
 * seed, the point and its sample number, so two exact times serve many samples. */
void noise_disturb(const struct noise *noise, uint64_t seed, double extra_ns,
                   struct sample *sample);

#endif
