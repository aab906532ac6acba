/* streams.h: the rates at which a team streams through its memory: sizes, the fastest kernel, and
 * the samples of many points. */
#ifndef TLBLAB_STREAMS_STREAMS_H
#define TLBLAB_STREAMS_STREAMS_H

#include "memory/streams/rates.h"
#include "memory/streams/stream.h"
#include "memory/streams/team.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A stream by members first … first + members − 1 of a team, each over its own part of each
 * array. */
struct rate {
    const struct stream_op *op;
    const struct stream_kernel *kernel; /* NULL: not chosen yet */
    uint64_t part;                      /* bytes per array and member, in whole blocks */
    uint64_t spacing;                   /* bytes from one read to the next; 0: all elements */
    size_t first, members;
};

/* The largest stream whose arrays and members together fit into `bytes`. `part` is 0 if that leaves
 * less than a block each. */
struct rate rate_of(const struct stream_op *op, uint64_t bytes, uint64_t spacing, size_t first,
                    size_t members);

/* Bytes of the whole working set, and bytes of memory for each member. */
uint64_t rate_bytes(const struct rate *rate);
uint64_t rate_memory(const struct rate *rate);

/* Bytes one pass moves, counted as in STREAM. */
double rate_moved(const struct rate *rate);

/* Times every kernel that can do the op for a few milliseconds and selects the fastest. Kernels
 * that write through the caches come first, because the others evict the arrays. */
void rate_choose(struct rate *rate, struct team *team);

/* Nanoseconds of `passes` passes; and the passes of a sample of at least least_ns. */
double rate_time(const struct rate *rate, struct team *team, uint64_t passes);
uint64_t rate_passes(const struct rate *rate, struct team *team, double least_ns);

/* Nanoseconds of the shortest sample: 10 ms, or 1000 clock readings if that is more. */
double rate_least_ns(struct clock_quality clock);

/* Streams the next 16 KiB of each array of the member's part, starting at byte *at, and advances
 * *at. For members that pause between blocks. Returns the bytes moved, counted as in STREAM. */
double rate_block(const struct rate *rate, const struct team *team, size_t member, uint64_t *at);

/* ---- points and their samples ---- */

struct stream_point {
    struct rate rate;
    uint64_t passes; /* of a sample; 0: not measured yet */
    double pass_ns;  /* time of a pass in the last sample */
};

struct streams {
    struct stream_point *at; /* to be freed */
    size_t count;
    uint64_t memory; /* bytes for each thread */
};

void streams_add(struct streams *streams, const struct rate *rate);

/* Samples of all points, and an estimate of their seconds. */
size_t streams_samples(const struct rates *rates, const struct streams *streams);
double streams_seconds(const struct rates *rates, const struct streams *streams);

/* The rest of the run, for the line of progress. */
struct streams_beside {
    size_t before, all; /* samples before these points, and samples of the whole run */
    double later_s;     /* seconds after these points */
};

/* Measures every sample of every point and writes its row. Samples are passes over all points, so
 * clock drift affects all points alike. False when the budget ran out. */
bool streams_measure(const struct rates *rates, struct team *team, struct streams *streams,
                     const struct streams_beside *beside);

#endif
