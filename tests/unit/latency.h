/* latency.h: latency curves made by hand, for the tests of derivative.c, textbook.c and caches.c.
 */
#ifndef TLBLAB_TEST_LATENCY_H
#define TLBLAB_TEST_LATENCY_H

#include "access/kernel.h"
#include "access/layout.h"
#include "access/series.h"
#include "base/random.h"
#include <math.h>
#include <string.h>

enum { LATENCY_LINE = 64, LATENCY_SAMPLES = 5 };

/* A cache: lines that it has, ways, latency of a hit, and whether lines come to its sets by chance
 * (then a line hits while less than `ways` others, a Poisson number, are in its set) or evenly. */
struct latency_cache {
    double lines;
    int ways;
    double ns;
    bool chance;
};

static inline struct point latency_point(uint64_t nodes, const char *layout)
{
    return (struct point){.pages = nodes,
                          .spacing = LATENCY_LINE,
                          .page_bytes = 4096,
                          .layout = layout_find(layout, strlen(layout)),
                          .backing = &backings[BACKING_SCATTERED],
                          .kernel = &kernels[KERNEL_READ]};
}

static inline void latency_add(struct series *series, double nodes, const char *layout, double ns)
{
    struct sample sample = {.point = latency_point((uint64_t)(nodes + 0.5), layout), .ns = ns};
    const struct group *known = series_find(series, &sample.point);
    sample.point.sample = known != NULL ? known->count : 0;
    series_add(series, &sample);
}

/* The share of loads that miss at n lines, under LRU. */
static inline double latency_misses(const struct latency_cache *c, double n)
{
    double mean = n * c->ways / c->lines, term = exp(-mean), hits = 0;
    if (!c->chance)
        return fmin(1, fmax(0, (n - c->lines) * (c->ways + 1) / n));
    for (int k = 0; k < c->ways; k++, term *= mean / k)
        hits += term;
    return 1 - hits;
}

/* The caches' time at n lines; the last of them is the memory. */
static inline double latency_at(const struct latency_cache *caches, size_t count, double n)
{
    double ns = caches[0].ns;
    for (size_t i = 0; i + 1 < count; i++)
        ns += latency_misses(&caches[i], n) * (caches[i + 1].ns - caches[i].ns);
    return ns;
}

/* Samples of so many sizes an octave, from 64 lines on, each off by `noise` (a part of it). */
static inline void latency_curve(struct series *series, const struct latency_cache *caches,
                                 size_t count, int octaves, int each, double noise)
{
    struct random random;
    random_seed(&random, 7, (uint64_t)each);
    series_init(series);
    for (int k = 0; k <= octaves * each; k++)
        for (int i = 0; i < LATENCY_SAMPLES; i++) {
            double n = 64 * exp2((double)k / each);
            latency_add(series, n, "line",
                        latency_at(caches, count, n) * (1 + noise * random_normal(&random)));
        }
    series_sort(series);
}

#endif
