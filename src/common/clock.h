/* clock.h: what the timer can tell, and a processor that has come up to speed. */
#ifndef TLBLAB_CLOCK_H
#define TLBLAB_CLOCK_H

/* Measured once: the smallest step that the clock shows, and what one reading costs, in ns. */
struct clock_quality {
    double resolution_ns;
    double overhead_ns;
};
struct clock_quality clock_quality(void);

/* Works until the latency of a small chain stops falling, for at most a second, so that the first
 * sample is taken at the same frequency as the last. Returns the seconds that it took. */
double clock_warm_up(void);

#endif
