/* batch.h: what a plan still wants measured: points, each with a number of samples, and the order
 * in which they are taken. */
#ifndef TLBLAB_PLAN_BATCH_H
#define TLBLAB_PLAN_BATCH_H

#include "access/point.h"
#include "access/series.h"
#include "plan/options.h"
#include <stddef.h>

/* A point and how many samples it should have. */
struct request {
    struct point point;
    uint64_t have, want;
};

struct batch {
    const struct plan_options *options;
    struct series *series; /* sorted: what is known */
    struct point like;     /* kernel, backing, page and spacing of the points requested for */
    struct request *requests;
    size_t count, room;
};

struct batch batch_begin(const struct plan_options *options, struct series *series);

/* Requests for `want` samples of a point like `like` with this layout and number of pages (or as
 * many as the options say). What is known is not requested for; of two requests the larger number
 * counts. */
void request(struct batch *batch, const struct layout *layout, uint64_t pages, enum role role,
             uint64_t want);

/* The same for `set`; and for `page` and `packed`, for `packed` alone. */
void request_set(struct batch *batch, uint64_t targets, uint64_t others, uint64_t rounds,
                 uint64_t want);
void request_both(struct batch *batch, uint64_t pages, enum role role, uint64_t want);
void request_packed(struct batch *batch, uint64_t pages, enum role role, uint64_t want);

/* Turns the requests into points (to be freed) and returns their number: pass after pass over all
 * of them, so that drift hits all alike. */
size_t batch_points(struct batch *batch, struct point **points);

#endif
