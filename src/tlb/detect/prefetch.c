/* prefetch.c: which prefetchers show, and how far they run ahead.
 *
 *     struct boundaries found = {0};
 *     if (prefetch_detect(&series, &found) && found.count == 0)
 *         puts("no prefetcher was found");
 */
#include "tlb/detect/prefetch.h"
#include "access/layout.h"
#include "access/probe.h"
#include <limits.h>
#include <math.h>
#include <stdlib.h>

/* A probe was prefetched if the median saves this fraction of the time of a miss; confidence is
 * high if the median saves the second fraction, and every sample the first. Without a prefetcher
 * the fraction is 0; with one that is always in time, 1. [significance] */
static const double prefetched_min = 0.5, sure_min = 0.75;

/* Minimum ratio of a miss to a hit; below it the lines were not flushed. [prior] */
static const double flushed_min = 2;

#define ALL_STEPS                                                                                  \
    {                                                                                              \
        1, 2, 3, 4, 6, 8, 12, 16                                                                   \
    }

#define ONE_TOUCH_STEPS                                                                            \
    {                                                                                              \
        1, 2, 3, 4, [ONE_TOUCH_BACK] = -1                                                          \
    }
enum { ONE_TOUCH_BACK = 4 }; /* [bound] index of -1 there */

/* Indexes of the first patterns: one touch upwards, one touch downwards, no decoys. */
enum { ONE_UP, ONE_DOWN, EVERY_TOUCH };

/* Four touches have three equal differences, enough for most prefetchers; across a page boundary
 * some start later. The distances are those that fit into a page beyond the touches. [prior] */
const struct prefetch_pattern prefetch_patterns[] = {
    [ONE_UP] = {LAYOUT_ASCENDING, 1, 3, 1, ONE_TOUCH_STEPS, NOTE_NEXT_LINE},
    [ONE_DOWN] = {LAYOUT_DESCENDING, 1, 3, 1, ONE_TOUCH_STEPS, NOTE_PREVIOUS_LINE},
    [EVERY_TOUCH] = {LAYOUT_ASCENDING, 1, 0, 1, {2, 3, 4, 5, 8, 16, -2, -5}, NOTE_REPEATED_PATTERN},
    {LAYOUT_ASCENDING, 4, 3, 1, ALL_STEPS, NOTE_STRIDE_UP},
    {LAYOUT_ASCENDING, 4, 3, 2, ALL_STEPS, NOTE_STRIDE_UP},
    {LAYOUT_ASCENDING, 4, 3, 3, ALL_STEPS, NOTE_STRIDE_UP},
    {LAYOUT_ASCENDING, 4, 3, 4, {1, 2, 3, 4, 6, 8, 12}, NOTE_STRIDE_UP},
    {LAYOUT_ASCENDING, 4, 3, 8, {1, 2, 3, 4}, NOTE_STRIDE_UP},
    {LAYOUT_DESCENDING, 4, 3, 1, ALL_STEPS, NOTE_STRIDE_DOWN},
    {LAYOUT_DESCENDING, 4, 3, 2, ALL_STEPS, NOTE_STRIDE_DOWN},
    {LAYOUT_DESCENDING, 4, 3, 3, ALL_STEPS, NOTE_STRIDE_DOWN},
    {LAYOUT_DESCENDING, 4, 3, 4, {1, 2, 3, 4, 6, 8, 12}, NOTE_STRIDE_DOWN},
    {LAYOUT_DESCENDING, 4, 3, 8, {1, 2, 3, 4}, NOTE_STRIDE_DOWN},
    {LAYOUT_CROSSING, 8, 3, 1, ALL_STEPS, NOTE_PAGE_CROSSING},
    {0},
};

struct point prefetch_point(const struct prefetch_pattern *pattern, const struct point *like,
                            uint64_t groups, double steps)
{
    struct point point = *like;
    point.layout = &layouts[pattern->layout];
    point.touches = pattern->touches;
    point.decoys = pattern->decoys;
    point.spacing = pattern->stride * PREFETCH_LINE;
    point.probe = steps * (double)point.spacing;
    point.role = ROLE_SWEEP;
    point.sample = 0;
    point.pages = groups * probe_group_nodes(&point);
    return point;
}

/* ---- one pattern ---- */

/* The savings of a pattern's probes, as fractions of what a hit saves; NaN if not measured. */
struct savings {
    double control, part[PREFETCH_STEPS], worst[PREFETCH_STEPS], ns[PREFETCH_STEPS];
};

static const struct group *group_of(const struct series *series, const struct point *like,
                                    const struct prefetch_pattern *pattern, double steps)
{
    struct point point = prefetch_point(pattern, like, like->pages / probe_group_nodes(like),
                                        steps);
    return series_find(series, &point);
}

/* False if the control or the hit is missing, or they take about the same time. */
static bool read_savings(const struct series *series, const struct point *like,
                         const struct prefetch_pattern *p, struct savings *s)
{
    for (int i = 0; i < PREFETCH_STEPS; i++)
        s->part[i] = s->worst[i] = s->ns[i] = NAN;
    const struct group *control = group_of(series, like, p, NAN);
    const struct group *hit = group_of(series, like, p, 0);
    if (control == NULL || hit == NULL)
        return false;
    double hit_ns = group_fastest(hit, 0.5);
    s->control = group_fastest(control, 0.5);
    for (int i = 0; i < PREFETCH_STEPS && p->steps[i] != 0; i++) {
        const struct group *probe = group_of(series, like, p, p->steps[i]);
        if (probe == NULL)
            continue;
        s->ns[i] = group_fastest(probe, 0.5);
        s->part[i] = (s->control - s->ns[i]) / (s->control - hit_ns);
        s->worst[i] = (s->control - group_fastest(probe, 1)) / (s->control - hit_ns);
    }
    return s->control >= flushed_min * hit_ns;
}

static bool is_prefetched(const struct savings *s, int i)
{
    return s->part[i] >= prefetched_min;
}

/* ---- rows ---- */

static void add_row(struct boundaries *found, const struct prefetch_pattern *p,
                    const struct savings *s, int first, int last)
{
    struct boundary *b = boundary_add(found, STRUCTURE_PREFETCH, 0, "prefetch");
    double step = (double)p->stride * PREFETCH_LINE;
    b->bytes_min = fabs(p->steps[first] * step);
    b->bytes_max = fabs(p->steps[last] * step);
    boundary_set_step(b, s->ns[first], s->control - s->ns[first]);
    bool all = s->worst[first] >= prefetched_min, clear = s->part[first] >= sure_min;
    b->criteria = all + clear;
    if (p->shows == NOTE_STRIDE_UP || p->shows == NOTE_STRIDE_DOWN)
        note_add_number(&b->note, p->shows, step);
    else
        note_add(&b->note, p->shows);
}

/* Adds a row from the nearest to the farthest prefetched distance, if there are any more than so
 * many lines ahead or back. Returns the farthest, in lines; 0: none. */
static int add_beyond(struct boundaries *found, const struct prefetch_pattern *p,
                      const struct savings *s, int ahead, int back)
{
    int nearest = -1, farthest = -1;
    for (int i = 0; i < PREFETCH_STEPS && p->steps[i] != 0; i++) {
        int steps = abs(p->steps[i]);
        if (!is_prefetched(s, i) || steps * (int)p->stride <= (p->steps[i] > 0 ? ahead : back))
            continue;
        if (nearest < 0 || steps < abs(p->steps[nearest]))
            nearest = i;
        if (farthest < 0 || steps > abs(p->steps[farthest]))
            farthest = i;
    }
    if (nearest < 0)
        return 0;
    add_row(found, p, s, nearest, farthest);
    return abs(p->steps[farthest]) * (int)p->stride;
}

/* The other line of a pair: the line before, prefetched by a touch of the second line, or the line
 * after, prefetched by a touch of the first, unless every line's neighbour is prefetched. */
static void add_pair(struct boundaries *found, const struct savings *up, int reach_up,
                     const struct savings *down, int reach_down)
{
    static const struct prefetch_pattern pair = {
        .stride = 1, .steps = ONE_TOUCH_STEPS, .shows = NOTE_ADJACENT_PAIR};
    if (reach_down == 0 && is_prefetched(up, ONE_TOUCH_BACK))
        add_row(found, &pair, up, ONE_TOUCH_BACK, ONE_TOUCH_BACK);
    else if (reach_up == 0 && is_prefetched(down, ONE_TOUCH_BACK))
        add_row(found, &pair, down, ONE_TOUCH_BACK, ONE_TOUCH_BACK);
}

bool prefetch_detect(const struct series *series, struct boundaries *found)
{
    const struct point *like = series_with(series, offsetof(struct layout, probes));
    struct savings up, down, s;
    const struct prefetch_pattern *one_up = &prefetch_patterns[ONE_UP];
    const struct prefetch_pattern *one_down = &prefetch_patterns[ONE_DOWN];
    if (like == NULL || !read_savings(series, like, one_up, &up) ||
        !read_savings(series, like, one_down, &down))
        return false;
    int reach_up = add_beyond(found, one_up, &up, 0, INT_MAX),
        reach_down = add_beyond(found, one_down, &down, 0, INT_MAX);
    add_pair(found, &up, reach_up, &down, reach_down);
    for (const struct prefetch_pattern *p = &prefetch_patterns[EVERY_TOUCH]; p->touches > 0; p++) {
        int ahead = p->shows == NOTE_PAGE_CROSSING ? 0
                    : p->shows == NOTE_STRIDE_DOWN ? reach_down
                                                   : reach_up;
        if (read_savings(series, like, p, &s))
            add_beyond(found, p, &s, ahead,
                       p->shows == NOTE_REPEATED_PATTERN ? reach_down : INT_MAX);
    }
    return true;
}
