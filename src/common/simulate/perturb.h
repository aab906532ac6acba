/* perturb.h: what broken conditions do to the samples of a simulated machine: memory that is
 * swapped out, a clock that is not up to speed, a thread that changes cores (mistake.h has the
 * table). */
#ifndef TLBLAB_SIMULATE_PERTURB_H
#define TLBLAB_SIMULATE_PERTURB_H

#include "access/point.h"
#include "simulate/model.h"
#include <stdint.h>

/* The conditions of a run; samples come in the order of taking. */
struct conditions {
    const struct model *model;
    uint64_t seed;
    uint64_t memory_bytes; /* that the nodes may take before they are swapped out */
    double elapsed_s;      /* of the samples so far */
};

/* Changes an exact sample, as model_measure() leaves it: its time and what was counted. */
typedef void perturb(struct conditions *conditions, struct sample *sample);

/* Beyond memory_bytes a load may have to wait for its page. The system drops the page that was used
 * longest ago. */
perturb perturb_swap;

/* The clock starts at a third of its speed and comes up within some tenths of a second of work. */
perturb perturb_cold;

/* In one sample of three the thread is moved, up to seven times, each time to a core whose first
 * two caches and TLBs hold nothing of it. */
perturb perturb_migrate;

#endif
