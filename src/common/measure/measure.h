/* measure.h: a point in, a sample out, on this machine. */
#ifndef TLBLAB_MEASURE_MEASURE_H
#define TLBLAB_MEASURE_MEASURE_H

#include "access/point.h"
#include "platform.h"
#include <stddef.h>
#include <stdint.h>

struct rig; /* the buffers, the core, the clock of one run */

/* The core of this run: taken first of all, because on a machine with several kinds of core the
 * processor describes the one that it is asked on. */
struct core {
    int cpu;
    struct platform_outcome pinned;
};
struct core core_pin(void);

/* Keeps this run to cores of a kind, "performance" or "efficiency" (NULL: any), before one is
 * pinned; where all are alike they are performance cores. Dies where there are none. */
void core_restrict(const char *kind);

/* Does not pin: the core of the mistake `migrate`. Dies where there is no other core to move to. */
struct core core_wander(void);

struct mistake;

struct rig_options {
    struct core core;
    const struct mistake *mistake; /* what is wrong on purpose (mistake.h); NULL: nothing */
    uint64_t seed;
    uint64_t line_bytes;
    uint64_t swap_bytes; /* that may be taken beyond the memory there is, for the mistake swap */
    uint64_t loads;      /* of one sample; 0: as many as the clock and the chain want */
    bool lock;           /* mlock() the buffers, as the whitepaper does */
    bool by_name; /* the sizes were asked for by name: more than half the memory only warns */
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
