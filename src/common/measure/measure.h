/* measure.h: a point in, a sample out, on the machine that the program runs on. */
#ifndef TLBLAB_MEASURE_MEASURE_H
#define TLBLAB_MEASURE_MEASURE_H

#include "access/point.h"
#include "machine/facts.h"
#include "measure/binding.h"
#include "measure/footprint.h"
#include "measure/machine.h"
#include <stddef.h>
#include <stdint.h>

struct rig; /* the buffers, the core and the clock of a run */

struct mistake;

struct rig_options {
    struct core core;
    const struct mistake *mistake; /* planted mistake (mistake.h); NULL: none */
    struct memory_options memory;  /* its seed is also the seed of the chains */
    uint64_t loads;                /* of one sample; 0: as many as the clock and the chain need */
};

/* Measures the clock. Dies when the platform cannot measure. */
struct rig *rig_open(const struct rig_options *options);
void rig_close(struct rig *rig);

/* arenas_check() and arenas_prepare() (arena.h) on the buffers of the run. */
void rig_check(const struct rig *rig, const struct point *points, size_t count);
void rig_prepare(struct rig *rig, const struct point *points, size_t count);

/* Writes the metadata that are known before there is a buffer: pinned_cpu, core_kind, numa_node,
 * memory_node, sibling_busy, timer_ns, timer_overhead_ns, ghz_estimated, mistake, seed. */
void rig_put_meta(const struct rig *rig);

/* Takes one sample: builds the chain of (seed, point, sample), walks it once to warm up, then
 * times it. Makes the buffer if needed. */
void rig_measure(struct rig *rig, const struct point *point, struct sample *sample);

/* Estimated seconds of a sample of the point. */
double rig_estimate_s(const struct rig *rig, const struct point *point);

/* ---- as a run (run.h) sees it ---- */

struct this_machine {
    const struct rig_options *options;
    const struct facts *facts; /* for the metadata */
    struct rig *rig;
    double quickest_ns; /* the minimum time of a dependent access */
};

/* Opens the rig. `here`, the options and the facts must outlive the result. Closing it warns if an
 * access took less than a cycle. */
struct machine this_machine_open(struct this_machine *here, const struct rig_options *options,
                                 const struct facts *facts);

#endif
