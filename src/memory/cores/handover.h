/* handover.h: how long a cache line takes from one core to another, with a value that the other
 * waits for. */
#ifndef TLBLAB_CORES_HANDOVER_H
#define TLBLAB_CORES_HANDOVER_H

#include "measure/clock.h"
#include "platform.h"
#include <stdint.h>

/* Round trips per lap: long enough for the clock, short enough that the fastest lap saw no
 * interrupt and no other program. [prior] */
enum { HANDOVER_ROUND_TRIPS = 100 };

struct handover {
    const char *kernel;             /* the fastest; NULL: no lap completed */
    double ns, min_ns;              /* of one way: median lap and fastest lap of that kernel */
    uint64_t laps;                  /* of that kernel */
    struct platform_outcome pinned; /* NO or HINT if either thread was not */
};

/* Passes a line back and forth between two cores, `laps` laps with each kernel, and picks the
 * kernel with the fastest lap. A kernel is cut off after most_s seconds, which two threads on one
 * core or a busy machine may need. Leaves this thread pinned to the first core. */
struct handover handover_measure(const int cpus[2], uint64_t laps, double most_s,
                                 struct clock_quality clock);

/* Prints the kernels, for --help. */
void handover_print_kernels(void);

#endif
