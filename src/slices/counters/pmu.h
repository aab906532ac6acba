/* pmu.h: the L3 slice counters that Linux offers in /sys/bus/event_source/devices, and the events
 * that count lookups of lines there. */
#ifndef TLBLAB_COUNTERS_PMU_H
#define TLBLAB_COUNTERS_PMU_H

#include "platform.h"
#include "slices/hash/slice_hash.h"
#include <stdbool.h>

/* Units that each count for one slice, or one unit that selects slices. */
struct pmu {
    const struct pmu_kind *kind;
    unsigned slices;
    unsigned unit[SLICES_MAX]; /* number in the name of the slice's unit */
    int cpu;                   /* the first CPU in the first unit's cpumask */
};

/* Finds the units of this machine, or of the recorded one. False, with what is missing, if there
 * are none. */
bool pmu_find(struct pmu *pmu, char why[PLATFORM_WHY_ROOM]);

/* The k-th event that may count lookups, likeliest first; NULL after the last. */
struct pmu_candidate {
    const char *terms;  /* "event=0x50,umask=0x03", named after the unit's format files */
    const char *source; /* where it is documented */
};
const struct pmu_candidate *pmu_candidate(const struct pmu *pmu, unsigned k);

/* Encodes a candidate for a slice, to be counted on the CPU that the cpumask names for the package
 * of `cpu` (negative: the first). False if a format file is missing or does not fit. */
bool pmu_event(const struct pmu *pmu, unsigned slice, const char *terms, int cpu,
               struct platform_event *event, char why[PLATFORM_WHY_ROOM]);

/* The name of a slice's unit: "uncore_cha_5". [bound] */
enum { PMU_NAME_ROOM = 64 };
void pmu_name(const struct pmu *pmu, unsigned slice, char name[PMU_NAME_ROOM]);

#endif
