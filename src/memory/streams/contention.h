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
    char *memory;
    uint64_t bytes, line_bytes;
    void **node; /* where the next chase starts, so its lines are not in a cache */
    struct platform_outcome huge;
    const char *on_node; /* struct rate_row.node of it */
};

/* Bytes that victim_open() needs: the buffer and a number for each line. */
double victim_needs(uint64_t bytes, uint64_t line_bytes);

/* Maps a buffer of 1 to UINT32_MAX lines and links it in an order drawn from the seed. Dies if the
 * system has no memory for it. */
struct victim victim_open(uint64_t bytes, uint64_t line_bytes, uint64_t seed, bool base_pages,
                          struct platform_node node);
void victim_close(struct victim *victim);

/* In each sample member 0 chases: first alone, then while the members of `rate` stream blocks, once
 * for each delay (in ns) between two blocks. Writes a row of op `chase` with the nanoseconds per
 * load, followed by a row with the rate of the streaming members. False when the budget ran out. */
bool loaded_latency(struct rates *rates, struct team *team, struct victim *victim,
                    const struct rate *rate, const struct range *delays);

/* ---- false sharing ---- */

/* Members increment counters in member 0's memory: member 0 alone, then members 0 and 1 with each
 * of the spacings (in bytes) between their counters. Writes rows with the slower member's
 * nanoseconds per increment. False when the budget ran out. */
bool false_sharing(struct rates *rates, struct team *team, const struct range *spacings);

#endif
