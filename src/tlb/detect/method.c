/* method.c: the methods of `detect`. */
#include "tlb/detect/method.h"
#include "access/layout.h"
#include "tlb/curve/curve.h"
#include "tlb/detect/caches.h"
#include "tlb/detect/control.h"
#include "tlb/detect/textbook.h"
#include <stddef.h>
#include <string.h>

static bool has_pairs(const struct series *series)
{
    return series_with(series, offsetof(struct layout, pairs)) != NULL;
}

/* Chains of pages, also of other programs, on layout line; those of preset line show the cache. */
static bool has_pages(const struct series *series)
{
    bool found = series->moment_count > 0 && series->moments[0].point.layout->targets;
    for (size_t i = 0; i < series->count && !found; i++)
        found = control_shows(&series->groups[i]) &&
                (group_layout(&series->groups[i])->per_page || !has_pairs(series));
    return found;
}

static bool has_probes(const struct series *series)
{
    return series_with(series, offsetof(struct layout, probes)) != NULL;
}

/* The guard of method segment is about the caches of a processor. */
static bool has_windows(const struct series *series)
{
    return !(series->count > 0 && series->groups[0].point.backing->device) &&
           series_with(series, offsetof(struct layout, windows)) != NULL;
}

static bool has_latency_curve(const struct series *series)
{
    return curve_line(series) != NULL;
}

static const char latency_layouts[] = "local, line or packed";

const struct method methods[] = {
    [METHOD_CONTROL] = {"control", "TLBs by page minus packed, caches by packed alone",
                        "page (and packed)", has_pages, NULL},
    [METHOD_LINE] = {"line", "where the second node of a pair starts to miss too",
                     "pair (sweep --preset line)", has_pairs, NULL},
    [METHOD_PREFETCH] = {"prefetch", "which lines a prefetcher fetches before they are loaded",
                         "ascending and descending (sweep --preset prefetch)", has_probes, NULL},
    [METHOD_CACHES] = {"caches", "capacities from one latency curve; TLBs are not sought",
                       latency_layouts, has_latency_curve, caches_detect},
    [METHOD_SEGMENT] = {"segment", "steps over a baseline; a cache may pass for a TLB",
                        "box or line, not of a card", has_windows, NULL},
    [METHOD_DERIVATIVE] = {"derivative", "where one latency curve rises; TLBs are not sought",
                           latency_layouts, has_latency_curve, textbook_derivative},
    [METHOD_JUMP] = {"jump", "the largest ratio of two neighbours, however small", latency_layouts,
                     has_latency_curve, textbook_jump},
    [METHOD_PLATEAU] = {"plateau", "where a flat region ends; too early if the rise is slow",
                        latency_layouts, has_latency_curve, textbook_plateau},
    {0},
};

const struct method *method_find(const char *name)
{
    for (const struct method *method = methods; method->name != NULL; method++)
        if (strcmp(method->name, name) == 0)
            return method;
    return NULL;
}
