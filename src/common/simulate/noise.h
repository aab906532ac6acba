/* noise.h: what disturbs the times of a simulated machine. */
#ifndef TLBLAB_SIMULATE_NOISE_H
#define TLBLAB_SIMULATE_NOISE_H

#include "access/point.h"
#include <stdint.h>

enum noise_kind { NOISE_GAUSS, NOISE_SPIKES, NOISE_DRIFT, NOISE_RAMP, NOISE_KINDS };

/* How much of each, as parts of one; all zeros is none. What each does: simulate(1), --noise. */
struct noise {
    double part[NOISE_KINDS];
};

/* Reads a comma list of KIND:PERCENT, from 0 to 100; "" is none. A wrong one is a usage error. */
void noise_parse(struct noise *noise, const char *list);

/* Disturbs the times of a sample, which are exact: ns, rounded to 1e-6, run_s and proc_s. The noise
 * depends on the seed and the point with its number of the sample alone, so that one exact time may
 * stand for many samples, each with its own number. */
void noise_disturb(const struct noise *noise, uint64_t seed, struct sample *sample);

#endif
