/* team.h: threads that run jobs together, each with its own core and memory.
 *
 * The caller is member 0. A job is a function that every member calls with its number; all members
 * start it within a microsecond. */
#ifndef TLBLAB_STREAMS_TEAM_H
#define TLBLAB_STREAMS_TEAM_H

#include "platform.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct team;

struct team_options {
    const int *cpus; /* core of each member, the caller included */
    size_t count;
    size_t without;            /* that many first members have no memory */
    uint64_t bytes;            /* of memory for each other member */
    bool base_pages;           /* never huge pages */
    struct platform_node node; /* memory comes from this node alone */
};

/* Starts the threads and pins them. Dies if the system refuses threads or address space. */
struct team *team_open(const struct team_options *options);
void team_close(struct team *team);

/* team_reach(): each member touches the first `bytes` of its memory, which places the pages near
 * its core; doubles touched for the first time are 1. Dies if the system refuses memory.
 * team_reach_s(): an estimate of its seconds; 0 if the bytes are touched already. */
void team_reach(struct team *team, uint64_t bytes);
double team_reach_s(const struct team *team, uint64_t bytes);

/* Bytes of memory of a team, rounded up to pages. */
double team_needs(const struct team_options *options);

size_t team_count(const struct team *team);
char *team_memory(const struct team *team, size_t member);

/* Runs job(context, member) on every member at once; returns the nanoseconds from the first start
 * to the last end. */
typedef void team_job(void *context, size_t member);
double team_run(struct team *team, team_job *job, void *context);

/* Whether the touched memory is on huge pages; and whether it is on the node, as outcome_keep()
 * reports it (NULL: no node requested). */
struct platform_outcome team_huge(const struct team *team);
const char *team_node(const struct team *team);

#endif
