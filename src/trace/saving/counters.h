/* counters.h: which of the processor's counters count TLB misses and the cycles of page walks. */
#ifndef TLBLAB_SAVING_COUNTERS_H
#define TLBLAB_SAVING_COUNTERS_H

#include "platform.h"

/* The events counted. Names are libpfm's, several joined by '+' are added. */
enum counter { COUNTER_MISSES, COUNTER_WALK_CYCLES, COUNTERS };
extern const char *const counter_names[COUNTERS]; /* of columns */

struct counters {
    const char *events[COUNTERS];        /* NULL: this processor has none */
    size_t from[COUNTERS], to[COUNTERS]; /* of watch.event */
    struct platform_watch watch;
};

/* Whether the processor has an event of that name, and which. */
typedef bool name_event(const char *name, struct platform_event *event);

/* Finds the events; `wanted` are those that are asked for, or NULL for those that are known of its
 * kind of processor. Returns the first that is asked for and that it does not have, or NULL. */
const char *counters_find(struct counters *counters, const char *const wanted[COUNTERS],
                          name_event *named);

/* The count of a run; NAN where a part of it is not known. */
double counters_count(const struct counters *counters, enum counter which,
                      const struct platform_usage *usage);

#endif
