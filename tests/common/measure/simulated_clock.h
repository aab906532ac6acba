/* simulated_clock.h: a clock that a test sets. A test includes this first and then the source that
 * it tests, which takes these for the platform's:
 *
 *     #include "simulated_clock.h"
 *     #include "measure/clock.c"
 */
#ifndef TLBLAB_SIMULATED_CLOCK_H
#define TLBLAB_SIMULATED_CLOCK_H

#define platform_now_ns          simulated_now_ns
#define platform_process_seconds simulated_process_seconds
#define platform_counts          simulated_counts
#include "platform.h"
#include <math.h>

static struct {
    double now_ns, process_s;
    double reading_ns; /* what a reading of the clock takes */
    double faster;     /* that becomes this part of it with each reading; */
    int readings;      /* for this many readings */
    double shown_ns;   /* the clock shows multiples of this; 0: every nanosecond */
    struct platform_counts counts;
    bool uncounted; /* the system does not count */
} simulated;

uint64_t simulated_now_ns(void)
{
    double now = simulated.now_ns += simulated.reading_ns;
    if (simulated.readings > 0 && simulated.readings-- > 0)
        simulated.reading_ns *= simulated.faster;
    return (uint64_t)(simulated.shown_ns > 0 ? now - fmod(now, simulated.shown_ns) : now);
}

double simulated_process_seconds(void)
{
    return simulated.process_s;
}

bool simulated_counts(struct platform_counts *counts)
{
    *counts = simulated.counts;
    return !simulated.uncounted;
}

#endif
