/* perturb.h: broken conditions on a simulated machine: swapped memory, a cold clock, a thread that
 * migrates between cores. */
#ifndef TLBLAB_SIMULATE_PERTURB_H
#define TLBLAB_SIMULATE_PERTURB_H

#include "access/point.h"
#include "tlb/simulate/model.h"
#include <stdint.h>

/* The conditions of a run; samples are passed in the order of measurement. */
struct conditions {
    const struct model *model;
    uint64_t seed;
    uint64_t memory_bytes; /* limit beyond which pages of nodes are swapped out */
    double elapsed_s;      /* run time of all earlier samples */
};

/* Changes the time and the counts of an exact sample of model_measure().
 *
 * swap: a working set beyond memory_bytes makes loads wait for swapped pages. The system swaps out
 * the least recently used page.
 *
 * cold: the clock starts at a third of its speed and speeds up within some tenths of a second of
 * work.
 *
 * migrate: in one sample of three the thread migrates one to seven times, each time to a core whose
 * TLBs and first two caches hold none of its data. */
typedef void perturb(struct conditions *conditions, struct sample *sample);

/* The effect of the mistake of that name (mistake.h); NULL if it changes no sample. */
perturb *perturb_of(const char *mistake);

#endif
