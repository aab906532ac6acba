/* streams.h: the points of a run of streams that one team measures, and their samples. */
#ifndef TLBLAB_BANDWIDTH_STREAMS_H
#define TLBLAB_BANDWIDTH_STREAMS_H

#include "bandwidth/rate.h"
#include "bandwidth/rates.h"
#include "bandwidth/team.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A point; its samples are all alike. */
struct stream_point {
    struct rate rate;
    uint64_t passes; /* of a sample; 0: nothing is known yet */
    double pass_ns;
};

struct streams {
    struct stream_point *at; /* to be freed */
    size_t count;
    uint64_t memory;     /* bytes for each thread */
    bool count_allocate; /* lines that are read only to be written are counted */
};

void streams_add(struct streams *streams, const struct rate *rate);

/* Samples of all points, and the seconds that they take on many machines. */
size_t streams_samples(const struct rates *rates, const struct streams *streams);
double streams_seconds(const struct rates *rates, const struct streams *streams);

/* What the whole run has beside these points, for the bar. */
struct streams_beside {
    size_t before, all; /* samples that are done, and those of the run */
    double later_s;     /* seconds that will follow */
};

/* Takes every sample of every point and writes its row, pass after pass over all points, so that a
 * clock that drifts hits them alike. False when the budget ended. */
bool streams_measure(const struct rates *rates, struct team *team, struct streams *streams,
                     const struct streams_beside *beside);

#endif
