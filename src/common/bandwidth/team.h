/* team.h: threads that work at the same time, each on a core of its own and with memory of its own.
 *
 * The caller is member 0. A job is a function that every member calls, with its number; it begins
 * everywhere within a microsecond. */
#ifndef TLBLAB_BANDWIDTH_TEAM_H
#define TLBLAB_BANDWIDTH_TEAM_H

#include "platform.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct team;

struct team_options {
    const int *cpus; /* of each member; the caller's is taken, too */
    size_t count;
    size_t without;  /* members in front that have no memory */
    uint64_t bytes;  /* of memory for each of the others */
    bool base_pages; /* no huge pages, even where there are some */
};

/* Starts the threads and pins them. Dies where the system refuses threads or address space. */
struct team *team_open(const struct team_options *options);
void team_close(struct team *team);

/* Has each member touch the first `bytes` of its own memory, so that they lie near its core; every
 * double in them is 1 then, or what was written meanwhile. Dies where the system refuses memory.
 * And how many seconds that is likely to take: 0 where they are touched already. */
void team_reach(struct team *team, uint64_t bytes);
double team_reach_s(const struct team *team, uint64_t bytes);

/* Bytes that a team takes, with what rounding to pages adds. */
double team_needs(const struct team_options *options);

size_t team_count(const struct team *team);
char *team_memory(const struct team *team, size_t member);

/* Calls job(context, member) on every member at once, and returns the nanoseconds from the first
 * one's start to the last one's end. */
typedef void team_job(void *context, size_t member);
double team_run(struct team *team, team_job *job, void *context);

/* Whether the memory that was touched lies on huge pages. */
struct platform_outcome team_huge(const struct team *team);

#endif
