/* handover.h: how long a cache line takes from one core to another, with a value that the other
 * waits for. */
#ifndef TLBLAB_CORES_HANDOVER_H
#define TLBLAB_CORES_HANDOVER_H

#include "measure/clock.h"
#include "platform.h"
#include <stdint.h>

/* Round trips of a lap: long enough for the clock, short enough that the fastest lap met no
 * interrupt and no other program. [prior] */
enum { HANDOVER_ROUND_TRIPS = 100 };

struct handover {
    const char *kernel;             /* the fastest; NULL: no lap was completed */
    double ns, min_ns;              /* of one way: median lap and fastest lap of that kernel */
    uint64_t laps;                  /* of that kernel */
    struct platform_outcome pinned; /* NO or HINT where one of the threads was not */
};

/* Passes a line to and fro between two cores, `laps` laps with each kernel, and takes the kernel
 * whose fastest lap is the fastest. A kernel ends early after most_s seconds, which two threads on
 * one core or a busy machine may take. Leaves this thread pinned to the first core. */
struct handover handover_measure(const int cpus[2], uint64_t laps, double most_s,
                                 struct clock_quality clock);

/* Prints the kernels, for --help. */
void handover_print_names(void);

#endif
