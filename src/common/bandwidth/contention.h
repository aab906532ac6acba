/* contention.h: what cores cost each other: how long a load takes while others stream, and counters
 * that two threads share a cache line for. */
#ifndef TLBLAB_BANDWIDTH_CONTENTION_H
#define TLBLAB_BANDWIDTH_CONTENTION_H

#include "bandwidth/rate.h"
#include "bandwidth/rates.h"
#include "bandwidth/team.h"
#include "base/range.h"
#include <stdbool.h>
#include <stdint.h>

/* ---- loaded latency ---- */

/* A random cycle over all the lines of a buffer, for member 0 to chase. */
struct victim {
    char *memory;
    uint64_t bytes, line_bytes;
    void **node; /* where the next chase goes on, so that what it finds is not still in a cache */
    struct platform_outcome huge;
};

/* Bytes that a victim takes while it is made: the buffer, and a number for each line. */
double victim_needs(uint64_t bytes, uint64_t line_bytes);

/* Maps and links the buffer, of 1 to UINT32_MAX lines, drawn from the seed. Dies where the system
 * has no memory for it. */
struct victim victim_open(uint64_t bytes, uint64_t line_bytes, uint64_t seed, bool base_pages);
void victim_close(struct victim *victim);

/* Member 0 chases, alone and then while the members of `rate` stream, block after block with each
 * of the delays (in ns) between two of them; sample after sample. Writes rows of op `chase` with
 * the nanoseconds of a load, and behind each a row of what the others moved in that time. False
 * when the budget ended. */
bool loaded_latency(struct rates *rates, struct team *team, struct victim *victim,
                    const struct rate *rate, const struct range *delays);

/* ---- false sharing ---- */

/* Member 0 alone, then members 0 and 1 with each of the spacings (in bytes) between them, increment
 * counters in the memory of member 0. Writes rows with the nanoseconds of one increment, of the
 * slower one. False when the budget ended. */
bool false_sharing(struct rates *rates, struct team *team, const struct range *spacings);

#endif
