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
#include "base/error.h"
#include "base/random.h"
#include "named.h"
#include "tap.h"
#include "tlb/plan/plan.h"
#include "tlb/simulate/hierarchy.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MACHINE_PAGE = 4096, MACHINE_LINE = 64 };
enum { MACHINE_TLBS = 2, MACHINE_CACHES = 4, MACHINE_SIZES = 256, MACHINE_BATCHES = 400 };

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

/* How the entries of a level of the TLB are organised: LRU in sets that a page's number selects. */
struct machine_sets {
    int ways, sets;
    int fold, parts; /* of an index that is folded: bits of a part, how many of them (0: 2) */
    int held;        /* ways that somebody else holds, in all sets but each eighth */
};

struct machine {
    double load_ns; /* of a load that misses nothing */
    struct machine_level tlb[MACHINE_TLBS], cache[MACHINE_CACHES];
    struct machine_sets sets[MACHINE_TLBS]; /* of both levels of the TLB, or of none */
    enum relation relation;                 /* of the two */
    double line, fetched; /* bytes of a line and of what a miss fetches; 0: nodes share no line */
    double sets_bytes;    /* of the sets of the first cache, one way each; 0: any node fits any */
    double noise;         /* standard deviation, as a part of the time */
    double spikes;        /* share of samples that take 1.2 to 4.2 times as long */
    uint64_t seed;        /* of the noise */
};

/* One more sample of a point, numbered on from those that the series has. */
static inline void add_sample(struct series *series, struct point point, double ns)
{
    const struct group *known = series_find(series, &point);
    point.sample = known != NULL ? known->count : 0;
    series_add(series, &(struct sample){.point = point, .ns = ns});
}

/* ---- levels by formulas ---- */

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

/* ---- levels by sets ---- */

/* The cost of a load follows from formulas: under LRU, pages that are visited in turn all hit a set
 * that has a way for each of them, and else all miss it. */
static inline struct machine machine_of_sets(struct machine_sets first, struct machine_sets second,
                                             enum relation relation)
{
    struct machine m = {.load_ns = 1, .sets = {first, second}, .relation = relation};
    const double miss_ns[MACHINE_TLBS] = {1.8, 6.2};
    for (int i = 0; i < MACHINE_TLBS; i++)
        m.tlb[i] = (struct machine_level){.entries = m.sets[i].ways * m.sets[i].sets,
                                          .miss_ns = miss_ns[i]};
    return m;
}

static inline uint64_t machine_set(const struct machine_sets *level, uint64_t page)
{
    uint64_t folded = page;
    for (int part = 1; level->fold > 0 && part < (level->parts > 0 ? level->parts : 2); part++)
        folded ^= page >> part * level->fold;
    return folded % (uint64_t)level->sets;
}

/* The places that the pages of each set need in a level: `needs` of each page, 0 where it does not
 * come there.
 */
static inline double *machine_fill_sets(const struct machine_sets *level, const uint64_t *pages,
                                        const double *needs, size_t count)
{
    double *sum = allocate((size_t)level->sets, sizeof *sum);
    for (size_t i = 0; i < count; i++)
        sum[machine_set(level, pages[i])] += needs[i];
    return sum;
}

/* Whether each page misses the level, of those that come there. */
static inline void machine_miss_sets(const struct machine_sets *level, const uint64_t *pages,
                                     const double *needs, size_t count, bool *misses)
{
    double *sum = machine_fill_sets(level, pages, needs, count);
    for (size_t i = 0; i < count; i++) {
        uint64_t set = machine_set(level, pages[i]);
        double ways = level->ways - (set % 8 > 0 ? level->held : 0);
        misses[i] = needs[i] > 0 && sum[set] > ways + 1e-9;
    }
    free(sum);
}

/* An exclusive level has to hold only those pages of a set that the first level does not hold at
 * the moment (flushed: none of the targets, once the others were visited); an inclusive one holds
 * all, and its evictions also evict from the first level. */
static inline double machine_sets_of_pages_ns(const struct machine *m, const uint64_t *pages,
                                              size_t count, bool flushed)
{
    const struct machine_sets *first = &m->sets[0], *second = &m->sets[1];
    double *needs = allocate(count, sizeof *needs), ns = 0;
    bool *lost = allocate(count, sizeof *lost), *misses = allocate(count, sizeof *misses);
    for (size_t i = 0; i < count; i++)
        needs[i] = 1;
    if (m->relation == INCLUSION_INCLUSIVE && second->ways > 0)
        machine_miss_sets(second, pages, needs, count, lost);
    for (size_t i = 0; i < count; i++)
        needs[i] = !lost[i];
    double *in_first = machine_fill_sets(first, pages, needs, count);
    machine_miss_sets(first, pages, needs, count, misses);
    for (size_t i = 0; i < count; i++) {
        double held = flushed ? 0 : first->ways / in_first[machine_set(first, pages[i])];
        needs[i] = !misses[i] ? 0 : m->relation == INCLUSION_EXCLUSIVE ? 1 - held : 1;
        ns += lost[i] || misses[i] ? m->tlb[0].miss_ns : 0;
    }
    if (second->ways > 0 && m->relation != INCLUSION_INCLUSIVE)
        machine_miss_sets(second, pages, needs, count, lost);
    for (size_t i = 0; i < count; i++)
        ns += lost[i] ? m->tlb[1].miss_ns : 0;
    free(in_first);
    free(needs);
    free(lost);
    free(misses);
    return ns / (double)count;
}

static inline double machine_by_sets_ns(const struct machine *m, const struct point *point)
{
    struct point p = *point;
    size_t count = p.targets > 0 ? p.targets + p.others : p.pages;
    uint64_t *pages = allocate(count, sizeof *pages);
    if (m->sets[1].held == 0)
        p.sample = 0; /* others look at other sets, which are all alike */
    for (size_t i = 0; i < count; i++)
        pages[i] = p.layout->offset(&p, MACHINE_LINE, i) / MACHINE_PAGE;
    double ns = machine_sets_of_pages_ns(m, pages, count, p.others > 0);
    free(pages);
    return ns;
}

/* ---- the time of a load ---- */

/* `page` has a page for each node; `packed` visits the nodes of its few pages in random order. The
 * other layouts stay in a page while they can. */
static inline double machine_translation(const struct machine *m, const struct point *point)
{
    double ns = 0, nodes_of_page = (double)(point->page_bytes / point->spacing);
    if (m->sets[0].sets > 0 && point->layout != &layouts[LAYOUT_PACKED])
        return machine_by_sets_ns(m, point);
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

/* Adds this many samples of layout `page` at these sizes up to `most`, and of its control `packed`
 * up to `packed_most`. */
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

/* Measures a batch; no sample may be asked for twice, and none left out. */
static inline void machine_take(const struct machine *m, struct series *series,
                                const struct point *points, size_t count, struct random *random)
{
    struct series exact; /* samples of a point differ where somebody else holds ways */
    series_init(&exact);
    for (size_t i = 0; i < count; i++) {
        struct sample s = {.point = points[i], .t_s = (double)points[i].moment / 500};
        const struct group *known = series_find(series, &s.point);
        if (s.point.moment == 0)
            CU_ASSERT_EQUAL(s.point.sample, known != NULL ? known->count : 0);
        known = series_find(&exact, &s.point);
        bool alike = known != NULL && (s.point.targets == 0 || m->sets[1].held == 0);
        s.ns = alike ? known->ns[0] : machine_ns(m, &s.point);
        series_add(&exact, &s);
        s.ns = machine_noisy(m, s.ns, random);
        series_add(series, &s);
    }
    series_free(&exact);
}

/* Whether pages far apart keep to the address space that there is. */
static inline bool machine_has_room(const struct plan_options *options, const struct point *point)
{
    uint64_t apart = point->targets > 0 ? point->targets : point->pages;
    return point->spacing <= MACHINE_PAGE || apart * point->spacing <= options->address_bytes;
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
        for (size_t i = 0; i < count; i++)
            CU_ASSERT_TRUE(machine_has_room(options, &points[i]));
        free(points);
        batches++;
    }
    free(points);
    CU_ASSERT_TRUE(batches < MACHINE_BATCHES);
    return batches;
}

#endif
