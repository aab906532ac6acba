/* uncore.h: what measuring the owner of a line needs, of this machine or of a simulated one. */
#ifndef TLBLAB_COUNTERS_UNCORE_H
#define TLBLAB_COUNTERS_UNCORE_H

#include "platform.h"
#include "slices/hash/slice_hash.h"
#include <stdbool.h>
#include <stddef.h>

struct uncore {
    void *context;
    unsigned slices;
    unsigned candidates; /* events that may count lookups, most likely first */

    /* The event's text, with its source; counts it at every slice from now on. False with the
     * reason where that is not possible. */
    const char *(*event)(void *context, unsigned candidate, const char **source);
    bool (*choose)(void *context, unsigned candidate, char why[PLATFORM_WHY_ROOM]);

    /* The count of every slice so far. False where one did not count all the time. */
    bool (*read)(void *context, uint64_t *counts);

    /* Loads the line at this offset of the buffer and flushes it from the caches, so many times. */
    void (*load)(void *context, size_t offset, uint64_t times);

    /* The physical address of an offset; false where it is not known. */
    bool (*physical)(void *context, size_t offset, uint64_t *paddr, char why[PLATFORM_WHY_ROOM]);

    void (*sleep)(void *context); /* for 1 s */
    void (*close)(void *context);
};

/* Counters of this machine and `bytes` of its memory on pages of page_bytes. The process is bound
 * to core `cpu`; below 0: to the one that the counters' cpumask names. False with what is missing.
 */
bool uncore_system(struct uncore *uncore, size_t bytes, uint64_t page_bytes, int cpu,
                   char why[PLATFORM_WHY_ROOM]);

/* A simulated machine with this hash and as many pages, at random addresses below 2^(top_bit + 1).
 * It has two candidates, of which the first counts every lookup twice. */
struct uncore_disturbance {
    double background; /* lookups by others at each slice for each load */
    double bursts;     /* share of the loads with many lookups by others at one slice */
    uint64_t silent;   /* so many slices count nothing */
    uint64_t moves;    /* one page of so many moves while it is measured; 0: none */
    uint64_t seed;
};
void uncore_simulated(struct uncore *uncore, const struct slice_hash *hash, size_t bytes,
                      uint64_t page_bytes, const struct uncore_disturbance *disturbance);

/* The seconds that a simulated machine has slept. */
double uncore_simulated_slept(const struct uncore *uncore);

#endif
