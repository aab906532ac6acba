/* rates.h: a run that writes a rates table: its cores, its memory, its metadata and its rows. */
#ifndef TLBLAB_STREAMS_RATES_H
#define TLBLAB_STREAMS_RATES_H

#include "machine/facts.h"
#include "measure/binding.h"
#include "measure/clock.h"
#include "memory/streams/rate_row.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rates {
    struct facts *facts;
    int *cpus; /* in the order in which threads use them */
    size_t cores;
    struct clock_quality clock;
    uint64_t samples; /* of each point */
    double budget_s;
    uint64_t start_ns;
    bool warned;               /* that it needs a lot of memory */
    struct platform_node node; /* of all memory; set after rates_open() */
};

/* Finds the cores (of one kind, as core_restrict() takes it) and pins this thread to the first.
 * Dies if the platform cannot measure. */
void rates_open(struct rates *rates, const char *const *kind, uint64_t samples, double budget_s);
void rates_close(struct rates *rates);

/* Whether the next step, which takes next_s seconds, ends within the budget. */
bool rates_has_time(const struct rates *rates, double next_s);

/* The number of samples of so many points. Dies with a usage error where it cannot be counted. */
size_t rates_samples(const struct rates *rates, size_t points);

/* Announces a long run on stderr, with the options that shorten it beside --budget. */
void rates_announce(const struct rates *rates, size_t samples, double seconds, const char *options);

/* Calls `put` for each sample of each point, 0 … points - 1, and announces a long run once it knows
 * how long one takes. Samples are passes over all points, so that a temporary disturbance affects
 * only one of a point's. False when the budget ran out. */
typedef void rates_point(void *context, uint64_t sample, size_t point);
bool rates_sample(const struct rates *rates, size_t points, const char *options, rates_point *put,
                  void *context);

/* Half of the available memory, the limit for default sizes. */
double rates_memory_half(void);

/* Checks a size the user requested: dies if it needs more memory than is available, or than its
 * node has; warns (once) if it needs more than half of that. */
void rates_check_memory(struct rates *rates, double needed);

/* Sets *sizes (freed by the caller) to every octave from 4 KiB to four times the last cache, at
 * least 1 GiB, up to half of the available memory; warns of octaves above that. Returns their
 * number. */
size_t rates_default_sizes(const struct rates *rates, uint64_t **sizes);

/* A size that leaves little of a pass in the last cache: four times that cache. */
uint64_t rates_beyond_caches(const struct rates *rates);

/* Writes the metadata of the machine, the first `threads` cores and the clock. Briefly pins this
 * thread to each of these cores. */
void rates_put_meta(const struct rates *rates, size_t threads);

/* Writes the header of a rates table, after the peak of the memory. */
void rates_put_header(const struct rates *rates);

/* rates_time(): the t_s of a row that began at begin_ns. rates_put(): writes a row, with its share
 * of the memory's peak if known, and flushes it. */
double rates_time(const struct rates *rates, uint64_t begin_ns);
void rates_put(const struct rates *rates, const struct rate_row *row);

#endif
