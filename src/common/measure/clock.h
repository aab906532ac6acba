/* clock.h: the resolution of the timer, the frequency of the core, and its warm-up. */
#ifndef TLBLAB_MEASURE_CLOCK_H
#define TLBLAB_MEASURE_CLOCK_H

#include "platform.h"
#include <stdint.h>

/* Nanoseconds since a reading of platform_now_ns(); below 0 where the clock was set back, as a
 * virtual machine's may be when it moves to another host. */
static inline double ns_since(uint64_t start)
{
    return (double)(int64_t)(platform_now_ns() - start);
}

/* Warns, once, that it was by so many nanoseconds (below 0). */
void clock_warn_set_back(double ns);

/* The smallest step between two readings of the clock, and the cost of a reading, in ns. */
struct clock_quality {
    double resolution_ns;
    double overhead_ns;
};
struct clock_quality clock_quality(void);

/* The time stamp counter (platform/ticks.h): nanoseconds per tick, the ticks that a reading takes,
 * and the smallest step between two readings, in ticks. */
struct clock_ticks {
    double ns;
    uint64_t overhead, step;
};
struct clock_ticks clock_ticks(void);

/* The frequency of the current core in GHz, from dependent additions, which take one cycle each.
 * The best of several runs, until they stop improving, for 0.2 seconds at most. */
double clock_ghz(void);

/* Chases a small chain until its latency stops falling, for at most a second, to give the first
 * sample the same frequency as the last. Returns the seconds that it took. */
double clock_warm_up(void);

#endif
