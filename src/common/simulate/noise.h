/* noise.h: noise in the times of a simulated machine. */
#ifndef TLBLAB_SIMULATE_NOISE_H
#define TLBLAB_SIMULATE_NOISE_H

#include "access/point.h"
#include <stdint.h>

enum noise_kind { NOISE_GAUSS, NOISE_SPIKES, NOISE_DRIFT, NOISE_RAMP, NOISE_KINDS };

/* The amount of each kind, as a fraction; all zeros is no noise. simulate(1) defines the kinds. */
struct noise {
    double part[NOISE_KINDS];
};

/* Reads a comma list of KIND:PERCENT, 0 to 100; "" is no noise. Any other text is a usage error. */
void noise_parse(struct noise *noise, const char *list);

/* Adds noise to the exact times of a sample: ns, rounded to 1e-6, run_s and proc_s. The noise
 * depends only on the seed, the point and its sample number, so that one exact time serves many
 * samples. */
void noise_disturb(const struct noise *noise, uint64_t seed, struct sample *sample);

#endif
