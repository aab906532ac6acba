/* method.c: the methods of `detect`. */
#include "tlb/detect/method.h"
#include "access/kernel.h"
#include "access/layout.h"
#include "base/error.h"
#include "tlb/curve/curve.h"
#include "tlb/detect/cache_line.h"
#include "tlb/detect/caches.h"
#include "tlb/detect/page_curves.h"
#include "tlb/detect/prefetch.h"
#include "tlb/detect/textbook.h"
#include "tlb/detect/tlb_levels.h"
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
        found = group_shows_pages(&series->groups[i]) &&
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

static void by_prefetch(const struct series *series, struct boundaries *found)
{
    prefetch_detect(series, found);
}

static void by_caches(const struct series *series, struct boundaries *found)
{
    caches_detect(series, curve_line(series), found);
}

static const char latency_layouts[] = "local, line or packed";

const struct method methods[] = {
    [METHOD_CONTROL] = {"control", "TLBs by page minus packed, caches by packed alone",
                        "page (and packed)", has_pages, tlb_levels_find},
    [METHOD_LINE] = {"line", "where the second node of a pair starts to miss too",
                     "pair (sweep --preset line)", has_pairs, cache_line_detect},
    [METHOD_PREFETCH] = {"prefetch", "which lines a prefetcher fetches before they are loaded",
                         "ascending and descending (sweep --preset prefetch)", has_probes,
                         by_prefetch},
    [METHOD_CACHES] = {"caches", "capacities from one latency curve; TLBs are not sought",
                       latency_layouts, has_latency_curve, by_caches},
    [METHOD_SEGMENT] = {"segment", "steps over a baseline; a cache may pass for a TLB",
                        "box or line, not of a card", has_windows, NULL},
    {"derivative", "where one latency curve rises; TLBs are not sought", latency_layouts,
     has_latency_curve, textbook_derivative},
    {"jump", "the largest ratio of two neighbours, however small", latency_layouts,
     has_latency_curve, textbook_jump},
    {"plateau", "where a flat region ends; too early if the rise is slow", latency_layouts,
     has_latency_curve, textbook_plateau},
    {0},
};

const struct method *method_find(const char *name)
{
    for (const struct method *method = methods; method->name != NULL; method++)
        if (strcmp(method->name, name) == 0)
            return method;
    return NULL;
}

/* Whether all samples are of kernels that draw their places. */
static bool all_drawn(const struct series *series)
{
    for (size_t i = 0; i < series->count; i++)
        if (!series->groups[i].point.kernel->draws)
            return false;
    return true;
}

const struct method *method_for(const struct series *series, const struct method *wanted)
{
    const struct method *method = wanted;
    if (method == NULL)
        for (method = methods; method < &methods[METHOD_SEGMENT] && !method->suits(series);)
            method++;
    if (series->count == 0 || method->suits(series))
        return method;
    if (all_drawn(series))
        die("method %s needs samples of a kernel that follows a chain, such as read: these are all "
            "of kernel random, whose loads hit by chance",
            method->name);
    if (wanted == NULL)
        die("no method suits samples of layout %s (--method NAME says what it needs)",
            series->groups[0].point.layout->name);
    die("method %s needs samples of layout %s", method->name, method->needs);
}

const char *method_why_nothing(const struct method *method, const struct series *series)
{
    struct boundaries none = {0};
    if (series->count == 0)
        return "the input has no measured rows";
    if (method == &methods[METHOD_PREFETCH])
        return prefetch_detect(series, &none)
                   ? "no prefetcher was found: these touches speed up no load on their page"
                   : "cannot identify the prefetchers: the control or the hit of single touches "
                     "is missing, or both take the same time (sweep --preset prefetch measures "
                     "them)";
    if (method == &methods[METHOD_LINE])
        return cache_line_of(series).why;
    if (series->groups[0].point.backing->device)
        return "nothing detected. Likely causes: the card's TLB reaches further than the sweep "
               "(larger --pages; gpu chase goes up to the card's memory); a level whose miss costs "
               "less than the parts of a cache differ (several --spacing show it: see gpu(1)); a "
               "changing clock";
    return "nothing detected. Likely causes: the sweep ends before the TLB does (larger --pages or "
           "--buffer); it starts beyond it (smaller --spacing); noise from throttling or other "
           "load (compare the raw medians: datamash -C -H -s -g layout,pages median ns); the "
           "buffer is on huge pages";
}
