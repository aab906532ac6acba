/* prefetcher.c: simulated prefetchers. They see only the addresses of a group's touches. */
#include "tlb/simulate/prefetcher.h"
#include "access/layout.h"
#include "access/probe.h"
#include <math.h>
#include <stdlib.h>

const char *const prefetcher_kinds[] = {
    "next_line", "previous_line", "adjacent_pair", "repeated_pattern",
    "stride_up", "stride_down",   "page_crossing", NULL};

/* The addresses of a group. */
struct group {
    const struct point *point;
    uint64_t line_bytes, first; /* number of its first touch among the nodes */
    int64_t probe;              /* line of the probe */
};

static int64_t line_of_touch(const struct group *g, uint64_t touch)
{
    return (int64_t)(g->point->layout->offset(g->point, g->line_bytes, g->first + touch) /
                     g->line_bytes);
}

/* Whether a load of line `from` may fetch this line. */
static bool may_fetch(const struct prefetchers *all, const struct group *g, int64_t from,
                      int64_t line)
{
    int64_t lines = (int64_t)(g->point->page_bytes / g->line_bytes);
    bool crosses = false;
    for (int i = 0; i < all->count; i++)
        crosses = crosses || (all->at[i].kind == PREFETCHER_PAGE_CROSSING &&
                              g->point->touches >= all->at[i].touches);
    return crosses || from / lines == line / lines;
}

/* Whether a stride prefetcher fetches the probe after the last touch. */
static bool follows(const struct prefetcher *p, const struct group *g)
{
    uint64_t last = g->point->touches - 1;
    if (g->point->touches < p->touches || last == 0)
        return false;
    int64_t apart = line_of_touch(g, last) - line_of_touch(g, last - 1);
    int64_t ahead = g->probe - line_of_touch(g, last);
    int64_t most = (int64_t)(p->ahead_bytes / g->line_bytes);
    return (apart > 0) == (p->kind == PREFETCHER_STRIDE_UP) && apart != 0 &&
           (uint64_t)llabs(apart) * g->line_bytes <= p->stride_bytes && ahead % apart == 0 &&
           ahead / apart > 0 && llabs(ahead) <= most;
}

/* Whether one touch makes a prefetcher fetch the probe. */
static bool fetches(const struct prefetcher *p, const struct group *g, int64_t line)
{
    int64_t ahead = g->probe - line, most = (int64_t)(p->ahead_bytes / g->line_bytes);
    switch (p->kind) {
    case PREFETCHER_NEXT_LINE:
        return ahead > 0 && ahead <= most;
    case PREFETCHER_PREVIOUS_LINE:
        return ahead < 0 && -ahead <= most;
    case PREFETCHER_ADJACENT_PAIR:
        return g->probe == (line ^ 1);
    case PREFETCHER_REPEATED:
        return g->point->decoys == 0 && !isnan(g->point->probe) && llabs(ahead) <= most;
    default:
        return false;
    }
}

static bool hits(const struct prefetchers *all, const struct group *g)
{
    for (uint64_t touch = 0; touch < g->point->touches; touch++) {
        int64_t line = line_of_touch(g, touch);
        if (line == g->probe)
            return true;
        for (int i = 0; i < all->count; i++)
            if (fetches(&all->at[i], g, line) && may_fetch(all, g, line, g->probe))
                return true;
    }
    int64_t last = line_of_touch(g, g->point->touches - 1);
    for (int i = 0; i < all->count; i++)
        if ((all->at[i].kind == PREFETCHER_STRIDE_UP ||
             all->at[i].kind == PREFETCHER_STRIDE_DOWN) &&
            follows(&all->at[i], g) && may_fetch(all, g, last, g->probe))
            return true;
    return false;
}

double prefetchers_hit(const struct prefetchers *all, const struct point *p, uint64_t line_bytes)
{
    uint64_t each = probe_group_nodes(p), timed = 0, hit = 0;
    for (uint64_t node = each - 1; node < p->pages; node += each) {
        if ((probe_tag(p, node) & PROBE_TIMED) == 0)
            continue;
        struct group g = {.point = p,
                          .line_bytes = line_bytes,
                          .first = node - p->touches,
                          .probe = (int64_t)(p->layout->offset(p, line_bytes, node) / line_bytes)};
        timed++;
        hit += hits(all, &g);
    }
    return timed > 0 ? (double)hit / (double)timed : 0;
}
