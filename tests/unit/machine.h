/* machine.h: a made-up machine whose truth is known: levels of a TLB and caches, the time of a load
 * by formulas, and samples with seeded noise.
 *
 *     struct machine m = {.load_ns = 1, .tlb = {{64, 4, 2}, {1536, 12, 8}}, .noise = 0.01};
 *     machine_sweep(&m, &series, 4, 16384, 65536, 21);
 */
#ifndef TLBLAB_TEST_MACHINE_H
#define TLBLAB_TEST_MACHINE_H

#include "access/kernel.h"
#include "access/layout.h"
#include "access/series.h"
#include "base/random.h"
#include "plan/plan.h"
#include "tap.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MACHINE_PAGE = 4096, MACHINE_LINE = 64 };
enum { MACHINE_TLBS = 2, MACHINE_CACHES = 4, MACHINE_SIZES = 256, MACHINE_BATCHES = 200 };

/* How many loads of a random cycle miss a level of C entries in `ways` ways. */
enum machine_rule {
    MISS_EVENLY,    /* LRU, sets fill evenly: (n - C)(ways + 1) / n; in one set (0 ways) all miss */
    MISS_BY_CHANCE, /* LRU, the number of nodes in a set is a Poisson number */
    MISS_BY_FRAMES, /* by chance in `page`, evenly in other layouts */
    MISS_AT_RANDOM, /* replaces at random: 1 - C / n */
};

/* A level of a TLB or a cache; none where it has no entries. */
struct machine_level {
    double entries; /* pages or lines */
    int ways;
    double miss_ns; /* added to a load that misses */
    enum machine_rule rule;
};

struct machine {
    double load_ns; /* of a load that misses nothing */
    struct machine_level tlb[MACHINE_TLBS], cache[MACHINE_CACHES];
    double line, fetched; /* bytes of a line and of what a miss fetches; 0: nodes share no line */
    double sets_bytes;    /* of the sets of the first cache, one way each; 0: any node fits any */
    double noise;         /* standard deviation, as a part of the time */
    double spikes;        /* share of samples that take 1.2 to 4.2 times as long */
    uint64_t seed;        /* of the noise */
};

static inline struct point point_of(const char *layout, uint64_t pages, uint64_t spacing)
{
    return (struct point){.pages = pages,
                          .spacing = spacing,
                          .page_bytes = MACHINE_PAGE,
                          .layout = layout_find(layout, strlen(layout)),
                          .kernel = &kernels[KERNEL_READ],
                          .backing = &backings[BACKING_SCATTERED]};
}

/* One more sample of a point, numbered on from those that the series has. */
static inline void add_sample(struct series *series, struct point point, double ns)
{
    const struct group *known = series_find(series, &point);
    point.sample = known != NULL ? known->count : 0;
    series_add(series, &(struct sample){.point = point, .ns = ns});
}

/* ---- the time of a load ---- */

/* Of a cycle, those miss whose set has `ways` others; of loads at random places, those whose node
 * is not among the ways that a set keeps. */
static inline double machine_missed_by_chance(const struct machine_level *level, double nodes,
                                              bool draws)
{
    double mean = nodes * level->ways / level->entries, term = exp(-mean), above = 1, kept = 0;
    for (int k = 0; k < level->ways; k++, term *= mean / k) {
        above -= term;
        kept += fmax(0, above);
    }
    return draws ? 1 - kept / mean : above;
}

static inline double machine_missed(const struct machine_level *level, const struct point *point)
{
    double nodes = (double)point->pages, over = nodes - level->entries;
    bool frames = level->rule == MISS_BY_FRAMES && point->layout == &layouts[LAYOUT_PAGE];
    if (level->entries <= 0)
        return 0;
    if (level->rule == MISS_BY_CHANCE || frames)
        return machine_missed_by_chance(level, nodes, point->kernel->draws);
    if (over <= 0)
        return 0;
    if (level->rule == MISS_AT_RANDOM || point->kernel->draws)
        return over / nodes;
    return level->ways > 0 ? fmin(1, over * (level->ways + 1) / nodes) : 1;
}

/* `page` has a page for each node; `packed` visits the nodes of its few pages in random order. The
 * other layouts stay in a page while they can. */
static inline double machine_translation(const struct machine *m, const struct point *point)
{
    double ns = 0, nodes_of_page = (double)(point->page_bytes / point->spacing);
    for (int i = 0; i < MACHINE_TLBS; i++) {
        struct machine_level level = m->tlb[i];
        if (point->layout == &layouts[LAYOUT_PACKED]) {
            level.entries *= nodes_of_page;
            level.rule = MISS_AT_RANDOM;
        } else if (point->layout != &layouts[LAYOUT_PAGE])
            continue;
        ns += level.miss_ns * machine_missed(&level, point);
    }
    return ns;
}

static inline double machine_caches_ns(const struct machine *m, const struct point *point)
{
    double ns = m->load_ns;
    for (int i = 0; i < MACHINE_CACHES; i++)
        ns += m->cache[i].miss_ns * machine_missed(&m->cache[i], point);
    return ns;
}

/* The second of a pair hits where it is on the line of the first; where it was fetched along, it
 * is in the second cache. */
static inline double machine_pair_ns(const struct machine *m, const struct point *point)
{
    struct point lines = *point;
    double spacing = (double)point->spacing;
    if (spacing < m->line)
        lines.pages /= 2;
    double first = machine_caches_ns(m, &lines);
    double second = spacing < m->line      ? m->load_ns
                    : spacing < m->fetched ? fmin(first, m->load_ns + m->cache[0].miss_ns)
                                           : first;
    return (first + second) / 2;
}

/* Nodes at multiples of a distance use few sets of the first cache, and the second holds them. */
static inline double machine_sets_ns(const struct machine *m, const struct point *point)
{
    double sets = fmax(1, m->sets_bytes / (double)point->spacing);
    bool held = (double)point->pages <= sets * m->cache[0].ways;
    return m->load_ns + (held ? 0 : m->cache[0].miss_ns);
}

/* Without noise. Several chains overlap. */
static inline double machine_ns(const struct machine *m, const struct point *point)
{
    if (m->line > 0 && point->layout == &layouts[LAYOUT_PAIR])
        return machine_pair_ns(m, point);
    if (m->sets_bytes > 0)
        return machine_sets_ns(m, point);
    double ns = machine_caches_ns(m, point) + machine_translation(m, point);
    return point->chains > 1 ? ns / (double)point->chains : ns;
}

/* Of a load that hits cache `level`, from 0; of memory where there is none such. */
static inline double machine_hit_ns(const struct machine *m, size_t level)
{
    double ns = m->load_ns;
    for (size_t i = 0; i < level; i++)
        ns += m->cache[i].miss_ns;
    return ns;
}

static inline double machine_noisy(const struct machine *m, double ns, struct random *random)
{
    ns *= 1 + m->noise * random_normal(random);
    return m->spikes > 0 && random_unit(random) < m->spikes ? ns * (1.2 + 3 * random_unit(random))
                                                            : ns;
}

/* ---- series ---- */

static inline size_t machine_put_size(double *sizes, size_t count, double size)
{
    size_t i = 0;
    while (i < count && sizes[i] < size)
        i++;
    if (i < count && sizes[i] == size)
        return count;
    memmove(sizes + i + 1, sizes + i, (count - i) * sizeof *sizes);
    sizes[i] = size;
    return count + 1;
}

/* Four sizes an octave, and close ones around the entries of each level of the TLB: a page or half
 * a per cent apart, from 4 below to 12 above. Ascending; returns their number. */
static inline size_t machine_sizes(const struct machine *m, double least, double most,
                                   double sizes[MACHINE_SIZES])
{
    size_t count = 0;
    for (double size = least; size < most * 1.01; size *= exp2(0.25))
        count = machine_put_size(sizes, count, round(size));
    for (int i = 0; i < MACHINE_TLBS; i++)
        for (double d = -4; d <= 12 && m->tlb[i].entries > 0; d++)
            count = machine_put_size(
                sizes, count, m->tlb[i].entries + d * fmax(1, round(m->tlb[i].entries / 200)));
    return count;
}

/* Adds so many samples of layout `page` at these sizes up to `most`, and of its control `packed` up
 * to `packed_most`. */
static inline void machine_sweep(const struct machine *m, struct series *series, double least,
                                 double most, double packed_most, int samples)
{
    double sizes[MACHINE_SIZES];
    size_t count = machine_sizes(m, least, packed_most, sizes);
    struct random random;
    random_seed(&random, m->seed, 0);
    for (size_t i = 0; i < count; i++)
        for (int s = 0; s < samples; s++) {
            struct point page = point_of("page", (uint64_t)sizes[i], MACHINE_PAGE),
                         packed = point_of("packed", (uint64_t)sizes[i], MACHINE_LINE);
            if (sizes[i] <= most)
                add_sample(series, page, machine_noisy(m, machine_ns(m, &page), &random));
            add_sample(series, packed, machine_noisy(m, machine_ns(m, &packed), &random));
        }
}

/* A curve of layout `line` from 64 nodes on: five samples of `each` sizes an octave. */
static inline void machine_curve(const struct machine *m, struct series *series, int octaves,
                                 int each)
{
    struct random random;
    random_seed(&random, 7, (uint64_t)each);
    series_init(series);
    for (int k = 0; k <= octaves * each; k++)
        for (int i = 0; i < 5; i++) {
            uint64_t nodes = (uint64_t)(64 * exp2((double)k / each) + 0.5);
            struct point point = point_of("line", nodes, MACHINE_LINE);
            add_sample(series, point, machine_noisy(m, machine_ns(m, &point), &random));
        }
    series_sort(series);
}

static inline void machine_take(const struct machine *m, struct series *series,
                                const struct point *points, size_t count, struct random *random)
{
    for (size_t i = 0; i < count; i++) {
        double ns = machine_noisy(m, machine_ns(m, &points[i]), random);
        series_add(series, &(struct sample){.point = points[i], .ns = ns});
    }
}

/* Measures what a plan asks for until it asks no more; returns the number of batches. */
static inline int machine_follow(const struct machine *m, const struct plan_options *options,
                                 struct series *series)
{
    struct point *points;
    struct random random;
    size_t count;
    int batches = 0;
    random_seed(&random, m->seed, 0);
    while ((count = plan_next(options, series, &points)) > 0 && batches < MACHINE_BATCHES) {
        machine_take(m, series, points, count, &random);
        free(points);
        batches++;
    }
    free(points);
    CU_ASSERT_TRUE(batches < MACHINE_BATCHES);
    return batches;
}

#endif
