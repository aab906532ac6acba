/* streams.h: the streaming points that one team measures, and their samples. */
#ifndef TLBLAB_STREAMS_STREAMS_H
#define TLBLAB_STREAMS_STREAMS_H

#include "memory/streams/rate.h"
#include "memory/streams/rates.h"
#include "memory/streams/team.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct stream_point {
    struct rate rate;
    uint64_t passes; /* of a sample; 0: not measured yet */
    double pass_ns;  /* time of a pass in the last sample */
};

struct streams {
    struct stream_point *at; /* to be freed */
    size_t count;
    uint64_t memory;     /* bytes for each thread */
    bool count_allocate; /* count write-allocate reads */
};

void streams_add(struct streams *streams, const struct rate *rate);

/* Samples of all points, and an estimate of their seconds. */
size_t streams_samples(const struct rates *rates, const struct streams *streams);
double streams_seconds(const struct rates *rates, const struct streams *streams);

/* The rest of the run, for the line of progress. */
struct streams_beside {
    size_t before, all; /* samples before these points, and samples of the whole run */
    double later_s;     /* seconds after these points */
};

/* Measures every sample of every point and writes its row. Samples are passes over all points, so
 * clock drift affects all points alike. False when the budget ran out. */
bool streams_measure(const struct rates *rates, struct team *team, struct streams *streams,
                     const struct streams_beside *beside);

#endif
