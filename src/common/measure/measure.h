/* measure.h: a point in, a sample out, on this machine. */
#ifndef TLBLAB_MEASURE_MEASURE_H
#define TLBLAB_MEASURE_MEASURE_H

#include "access/point.h"
#include "measure/core.h"
#include "measure/footprint.h"
#include <stddef.h>
#include <stdint.h>

struct rig; /* the buffers, the core, the clock of one run */

struct mistake;

struct rig_options {
    struct core core;
    const struct mistake *mistake; /* what is wrong on purpose (mistake.h); NULL: nothing */
    struct memory_options memory;  /* its seed is that of the chains, too */
    uint64_t loads;                /* of one sample; 0: as many as the clock and the chain want */
};

/* Learns the clock. Dies where the platform cannot measure. */
struct rig *rig_open(const struct rig_options *options);
void rig_close(struct rig *rig);

/* Dies for points that are not possible here, as far as that can be told without taking memory. */
void rig_check(const struct rig *rig, const struct point *points, size_t count);

/* Makes the buffers that the points need: maps them, touches their pages in random order, locks and
 * verifies. Dies when they need more memory than this process may use; warns (by_name) or dies when
 * it is more than half of it. May be called again when new points come. */
void rig_prepare(struct rig *rig, const struct point *points, size_t count);

/* Writes what is known before there is any buffer into the metadata: pinned_cpu, core_kind,
 * sibling_busy, timer_ns, timer_overhead_ns, ghz_estimated, mistake, seed. */
void rig_put_meta(const struct rig *rig);

/* Takes one sample: builds the chain of (seed, point, sample), walks it once to warm, then times
 * it. Prepares the buffer if that was not done. */
void rig_measure(struct rig *rig, const struct point *point, struct sample *sample);

/* A guess of the seconds that a sample of this point takes. */
double rig_estimate_s(const struct rig *rig, const struct point *point);

#endif
