/* batch.c: the points that a plan requests.
 *
 *     struct batch batch = {.options = options, .series = series, .like = {...}};
 *     request(&batch, &layouts[LAYOUT_PAGE], 64, 5);
 *     size_t count = batch_points(&batch, &points);
 */
#include "tlb/plan/batch.h"
#include "access/layout.h"
#include "base/error.h"
#include <math.h>
#include <stdlib.h>

void request_point(struct batch *batch, const struct point *point, uint64_t want)
{
    struct request w = {.point = *point,
                        .want = batch->options->samples > 0 ? batch->options->samples : want};
    const struct group *group = series_find(batch->series, &w.point);
    if (group != NULL) {
        w.have = group->count;
        w.point.role = group->point.role;
    }
    if (w.have >= w.want)
        return;
    for (size_t i = 0; i < batch->count; i++) {
        struct request *r = &batch->requests[i];
        if (r->point.pages == w.point.pages && point_same_curve(&r->point, &w.point)) {
            r->want = w.want > r->want ? w.want : r->want;
            return;
        }
    }
    batch->requests = extend(batch->requests, batch->count, sizeof *batch->requests);
    batch->requests[batch->count++] = w;
}

void request(struct batch *batch, const struct layout *layout, uint64_t pages, uint64_t want)
{
    struct point point = batch->like;
    point.pages = pages;
    point.layout = layout;
    point.spacing = layout_spacing(layout, batch->like.spacing, batch->like.page_bytes,
                                   batch->options->line_bytes);
    request_point(batch, &point, want);
}

uint64_t next_size(uint64_t from, uint64_t to, uint64_t last, unsigned per_octave)
{
    double step = last > from ? floor(per_octave * log2((double)last / (double)from)) : 0;
    for (from = from < to ? from : to;; step++) {
        double size = (double)from * exp2(step / per_octave);
        uint64_t next = size < (double)to ? (uint64_t)(size + 0.5) : to;
        if (next > last)
            return next;
    }
}

size_t batch_points(struct batch *batch, struct point **points)
{
    struct points list = {0};
    size_t before;
    uint64_t pass = 0;
    do {
        before = list.count;
        for (size_t i = 0; i < batch->count; i++) {
            struct request *w = &batch->requests[i];
            if (pass >= w->want - w->have)
                continue;
            w->point.sample = w->have + pass;
            points_append(&list, &w->point);
        }
        pass++;
    } while (list.count > before && list.count + batch->count <= BATCH_POINTS_MAX);
    free(batch->requests);
    *batch = (struct batch){0};
    *points = list.at;
    return list.count;
}
