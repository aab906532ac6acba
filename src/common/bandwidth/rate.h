/* rate.h: how fast a team streams through its memory. */
#ifndef TLBLAB_BANDWIDTH_RATE_H
#define TLBLAB_BANDWIDTH_RATE_H

#include "bandwidth/stream.h"
#include "bandwidth/team.h"
#include "measure/clock.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What is streamed: each member of the team from `first` on has a part of its own of each array. */
struct rate {
    const struct stream_op *op;
    const struct stream_kernel *kernel; /* NULL: not chosen yet */
    uint64_t part;                      /* bytes of each array for each member, whole blocks */
    uint64_t spacing;                   /* bytes from one read to the next; 0: all elements */
    size_t first, members;              /* who streams */
};

/* The rate with as many bytes in all, arrays and members together, as fit into `bytes`; part is 0
 * where that is less than a block for each. */
struct rate rate_of(const struct stream_op *op, uint64_t bytes, uint64_t spacing, size_t first,
                    size_t members);

/* Bytes of the whole working set, and of memory for each member. */
uint64_t rate_bytes(const struct rate *rate);
uint64_t rate_memory(const struct rate *rate);

/* Bytes that one pass moves, as STREAM counts them or (allocate) with what is read only to be
 * written. */
double rate_moved(const struct rate *rate, bool allocate);

/* Tries every kernel that fits for a few milliseconds and takes the fastest: first those that write
 * through the caches, because the others empty them. */
void rate_choose(struct rate *rate, struct team *team);

/* Nanoseconds of a job of `passes` passes; and passes for a sample of least_ns. */
double rate_time(const struct rate *rate, struct team *team, uint64_t passes);
uint64_t rate_passes(const struct rate *rate, struct team *team, double least_ns);

/* The shortest sample: 10 ms, or what keeps reading the clock below a thousandth of it. */
double rate_least_ns(struct clock_quality clock);

/* Streams blocks of the member's part, from block *at on, until it has moved about 16 KiB of each
 * array; for a member that paces itself. Returns the bytes moved as STREAM counts them. */
double rate_block(const struct rate *rate, const struct team *team, size_t member, uint64_t *at);

#endif
