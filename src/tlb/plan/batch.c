/* batch.c: the points that a plan requests.
 *
 *     struct batch batch = batch_begin(options, series);
 *     request_both(&batch, 64, ROLE_SWEEP, 5);
 *     size_t count = batch_points(&batch, &points);
 */
#include "tlb/plan/batch.h"
#include "access/layout.h"
#include "base/error.h"
#include <stdlib.h>

struct batch batch_begin(const struct plan_options *options, const struct series *series)
{
    return (struct batch){.options = options,
                          .series = series,
                          .like = {.spacing = options->spacing,
                                   .page_bytes = options->page_bytes,
                                   .backing = options->backing,
                                   .kernel = options->kernel}};
}

struct point batch_page(const struct batch *batch)
{
    struct point page = batch->like;
    page.layout = &layouts[LAYOUT_PAGE];
    return page;
}

uint64_t half_again(uint64_t have)
{
    return have + (have + 1) / 2;
}

static struct request *find(struct batch *batch, const struct point *point)
{
    for (size_t i = 0; i < batch->count; i++) {
        const struct point *p = &batch->requests[i].point;
        if (p->pages == point->pages && point_same_curve(p, point))
            return &batch->requests[i];
    }
    return NULL;
}

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
    struct request *same = find(batch, &w.point);
    if (same != NULL) {
        same->want = w.want > same->want ? w.want : same->want;
        return;
    }
    if (batch->count == batch->room) {
        batch->room = batch->room > 0 ? 2 * batch->room : 64;
        batch->requests = reallocate(batch->requests, batch->room, sizeof *batch->requests);
    }
    batch->requests[batch->count++] = w;
}

void request(struct batch *batch, const struct layout *layout, uint64_t pages, enum role role,
             uint64_t want)
{
    struct point point = batch->like;
    point.pages = pages;
    point.role = role;
    point.layout = layout;
    point.spacing = layout_spacing(layout, batch->like.spacing, batch->like.page_bytes,
                                   batch->options->line_bytes);
    request_point(batch, &point, want);
}

void request_both(struct batch *batch, uint64_t pages, enum role role, uint64_t want)
{
    request(batch, &layouts[LAYOUT_PAGE], pages, role, want);
    request(batch, &layouts[LAYOUT_PACKED], pages, role, want);
}

void request_packed(struct batch *batch, uint64_t pages, enum role role, uint64_t want)
{
    request(batch, &layouts[LAYOUT_PACKED], pages, role, want);
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
