/* perturb.h: broken conditions on a simulated machine: swapped memory, a cold clock, a thread that
 * migrates between cores (mistake.h has the table). */
#ifndef TLBLAB_SIMULATE_PERTURB_H
#define TLBLAB_SIMULATE_PERTURB_H

#include "access/point.h"
#include "simulate/model.h"
#include <stdint.h>

/* The conditions of a run; samples are passed in the order of measuring. */
struct conditions {
    const struct model *model;
    uint64_t seed;
    uint64_t memory_bytes; /* limit beyond which pages of nodes are swapped out */
    double elapsed_s;      /* run time of all samples so far */
};

/* Changes the time and the counts of an exact sample of model_measure(). */
typedef void perturb(struct conditions *conditions, struct sample *sample);

/* A working set beyond memory_bytes makes loads wait for swapped pages. The system swaps out the
 * least recently used page. */
perturb perturb_swap;

/* The clock starts at a third of its speed and speeds up within some tenths of a second of work. */
perturb perturb_cold;

/* In one sample of three the thread migrates one to seven times, each time to a core whose TLBs and
 * first two caches hold none of its data. */
perturb perturb_migrate;

#endif
