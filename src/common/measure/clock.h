/* clock.h: what the timer can tell, and a processor that has come up to speed. */
#ifndef TLBLAB_MEASURE_CLOCK_H
#define TLBLAB_MEASURE_CLOCK_H

/* Measured once: the smallest step that the clock shows, and what one reading costs, in ns. */
struct clock_quality {
    double resolution_ns;
    double overhead_ns;
};
struct clock_quality clock_quality(void);

/* The frequency of the present core in GHz, estimated from additions that wait for one another: a
 * processor makes one of them in a cycle. The best of several, until they get no better, for 0.2
 * seconds at most. */
double clock_ghz(void);

/* Works until the latency of a small chain stops falling, for at most a second, so that the first
 * sample is taken at the same frequency as the last. Returns the seconds that it took. */
double clock_warm_up(void);

#endif
