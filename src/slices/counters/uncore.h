/* uncore.h: everything needed to measure the owner of a line, on this machine or a simulated
 * one. */
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
    unsigned candidate;  /* the one that is counted */
    unsigned at_once;    /* slices that are counted at once: as many as there are counters */

    /* The event's text, with its source; counts it at slices first … last from now on, and at no
     * others. False, with the reason, if that is not possible. */
    const char *(*event)(void *context, unsigned candidate, const char **source);
    bool (*choose)(void *context, unsigned candidate, unsigned first, unsigned last,
                   char why[PLATFORM_WHY_ROOM]);

    /* The counts of these slices so far. False if one did not count all the time. */
    bool (*read)(void *context, unsigned first, unsigned last, uint64_t *counts);

    /* Loads the line at this offset in the buffer and flushes it from the caches, `loads` times. */
    void (*load)(void *context, size_t offset, uint64_t times);

    /* The physical address of an offset; false if unknown. */
    bool (*physical)(void *context, size_t offset, uint64_t *paddr, char why[PLATFORM_WHY_ROOM]);

    void (*sleep)(void *context); /* for 1 s */
    void (*close)(void *context);
};

/* Counters of this machine and `bytes` of its memory on pages of page_bytes. The process is pinned
 * to core `cpu`; if negative, to the one that the counters' cpumask names. False, with what is
 * missing, on failure.
 */
bool uncore_system(struct uncore *uncore, size_t bytes, uint64_t page_bytes, int cpu,
                   char why[PLATFORM_WHY_ROOM]);

/* A simulated machine with this hash and its pages at random addresses below 2^(top_bit + 1). It
 * has two candidate events, of which the first counts every lookup twice. */
struct uncore_disturbance {
    double background; /* lookups by others at each slice, per load */
    double bursts;     /* share of the loads that come with many lookups by others at one slice */
    uint64_t silent;   /* this many slices count nothing */
    uint64_t counters; /* slices that can be counted at once; 0: all */
    uint64_t moves;    /* one page in this many moves while it is measured; 0: none */
    uint64_t seed;
};
void uncore_simulated(struct uncore *uncore, const struct slice_hash *hash, size_t bytes,
                      uint64_t page_bytes, const struct uncore_disturbance *disturbance);

/* The seconds a simulated machine has slept. */
double uncore_simulated_slept(const struct uncore *uncore);

#endif
