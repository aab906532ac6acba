/* contention.h: contention between cores: the latency of a load while other cores stream (loaded
 * latency), and of counters on one cache line (false sharing). */
#ifndef TLBLAB_STREAMS_CONTENTION_H
#define TLBLAB_STREAMS_CONTENTION_H

#include "base/number.h"
#include "memory/streams/streams.h"
#include <stdbool.h>
#include <stdint.h>

/* ---- loaded latency ---- */

/* The chain that member 0 chases: a random cycle over all lines of a buffer. */
struct victim {
    struct team *team; /* whose only member has the buffer */
    uint64_t bytes, line_bytes;
    void **node; /* where the next chase starts, so its lines are not in a cache */
};

/* Bytes that victim_open() needs: the buffer and a number for each line. */
double victim_needs(uint64_t bytes, uint64_t line_bytes);

/* Links 1 to UINT32_MAX lines, the memory of a team of one member, in an order drawn from the seed;
 * the caller closes the team. */
struct victim victim_open(const struct team_options *alone, uint64_t line_bytes, uint64_t seed);

/* In each sample member 0 chases: first alone, then while the other members stream blocks, once for
 * each delay (in ns) between two blocks; for each of the streams in turn. Writes a row of op
 * `chase` with the nanoseconds per load, followed by a row with the rate of the streaming members.
 * False when the budget ran out. */
bool loaded_latency(struct rates *rates, struct team *team, struct victim *victim,
                    const struct streams *streams, const struct range *delays);

/* ---- false sharing ---- */

/* Members increment counters in member 0's memory: member 0 alone, then members 0 and 1 with each
 * of the spacings (in bytes) between their counters. Writes rows with the slower member's
 * nanoseconds per increment. False when the budget ran out. */
bool false_sharing(struct rates *rates, struct team *team, const struct range *spacings);

#endif
