/* rates.h: a run that writes a rates table: the cores and the memory that it may take, its metadata
 * and its rows. */
#ifndef TLBLAB_BANDWIDTH_RATES_H
#define TLBLAB_BANDWIDTH_RATES_H

#include "bandwidth/rate_row.h"
#include "bandwidth/team.h"
#include "machine/facts.h"
#include "measure/clock.h"
#include "measure/core.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rates {
    struct facts *facts;
    int *cpus; /* in the order of taking */
    size_t cores;
    struct clock_quality clock;
    uint64_t samples; /* of each point */
    double budget_s;
    uint64_t start_ns;
    bool warned; /* of much memory */
};

/* Looks what there is (of a kind of core, as for core_restrict()) and pins this thread to the core
 * to be taken first. Dies where the platform cannot measure. */
void rates_open(struct rates *rates, const struct core_kind *kind, uint64_t samples,
                double budget_s);
void rates_close(struct rates *rates);

/* Whether something that takes next_s more ends within the budget. */
bool rates_has_time(const struct rates *rates, double next_s);

/* Half of the memory that is available: defaults stay below that. */
double rates_memory_half(void);

/* For sizes that were asked for by name: dies when more memory is needed than is available, warns
 * (once) above half of it. */
void rates_check_memory(struct rates *rates, double needed);

/* Every octave from 4 KiB to four times the last cache, 1 GiB at least, and below half of the
 * memory; what is left out for that it says on stderr. Returns how many; to be freed. */
size_t rates_default_sizes(const struct rates *rates, uint64_t **sizes);

/* Bytes of which little is left in the last cache when they come round: four times as many. */
uint64_t rates_beyond_caches(const struct rates *rates);

/* Writes metadata (those of the machine; `threads`: the most that any team has), the keys and
 * values of `more` (NULL behind the last) and the header, and warms up: before any memory is taken,
 * which may take its time. */
void rates_begin(const struct rates *rates, size_t threads, const char *const more[][2]);

/* When something began, for a row's t_s; and the row, which goes out at once. */
double rates_time(const struct rates *rates, uint64_t begin_ns);
void rates_put(const struct rate_row *row);

#endif
