/* pmu.h: the counters of L3 slices that Linux offers in /sys/bus/event_source/devices, and the
 * events that count lookups of lines there. */
#ifndef TLBLAB_COUNTERS_PMU_H
#define TLBLAB_COUNTERS_PMU_H

#include "platform.h"
#include "slices/hash/slice_hash.h"
#include <stdbool.h>

/* Units that count for one slice each, or one unit that selects slices. */
struct pmu {
    const struct pmu_kind *kind;
    unsigned slices;
    unsigned unit[SLICES_MOST]; /* number in the name of the slice's unit */
    int cpu;                    /* the first that the cpumask of the first unit names */
};

/* Finds the units of this machine, or of the recorded one. False with what is missing. */
bool pmu_find(struct pmu *pmu, char why[PLATFORM_WHY_ROOM]);

/* The k-th event that may count lookups, the likeliest first; NULL after the last. */
struct pmu_candidate {
    const char *terms;  /* "event=0x50,umask=0x03", names of the unit's format files */
    const char *source; /* who documents it */
};
const struct pmu_candidate *pmu_candidate(const struct pmu *pmu, unsigned k);

/* The event that counts a candidate at a slice, on the CPU that the cpumask names for the package
 * of `cpu` (below 0: the first). False where a format file is missing or says something else. */
bool pmu_event(const struct pmu *pmu, unsigned slice, const char *terms, int cpu,
               struct platform_event *event, char why[PLATFORM_WHY_ROOM]);

/* The name of a slice's unit: "uncore_cha_5". [bound] */
enum { PMU_NAME_ROOM = 64 };
void pmu_name(const struct pmu *pmu, unsigned slice, char name[PMU_NAME_ROOM]);

#endif
