/* truth.h: made-up machines for the tests of stride_profile.c, organisation.c and plan/geometry.c.
 * What a load costs follows from formulas: under LRU, pages that are visited in turn all hit a set
 * that has a way for each of them, and else all miss it. */
#ifndef TLBLAB_TRUTH_H
#define TLBLAB_TRUTH_H

#include "access/layout.h"
#include "access/series.h"
#include "base/error.h"
#include "base/random.h"
#include "detect/control.h"
#include "geometry/organisation.h"
#include "geometry/stride_profile.h"
#include "plan/plan.h"
#include "simulate/hierarchy.h"
#include "tap.h"
#include <math.h>
#include <stdlib.h>

enum { TRUTH_PAGE = 4096, TRUTH_LINE = 64, TRUTH_BATCHES = 200 };

struct truth_level {
    uint64_t ways, sets;
    int fold;      /* of an index that is folded, else 0 */
    uint64_t held; /* ways that somebody else holds, in all sets but each eighth */
};

struct truth {
    struct truth_level level[2]; /* none where ways are 0 */
    enum relation relation;
    double noise;  /* standard deviation, as a part of the time */
    uint64_t seed; /* of the noise */
};

/* Of a load: where nothing misses, and more where the first level does, and where both do. */
static const double truth_load = 1, truth_cost[] = {0, 1.8, 8};

static inline uint64_t truth_set(const struct truth_level *level, uint64_t page)
{
    return (level->fold > 0 ? page ^ page >> level->fold : page) % level->sets;
}

/* What all pages of each set need of a level: `needs` of each page, 0 where it does not come there.
 */
static inline double *truth_load_sets(const struct truth_level *level, const uint64_t *pages,
                                      const double *needs, size_t count)
{
    double *sum = allocate(level->sets, sizeof *sum);
    for (size_t i = 0; i < count; i++)
        sum[truth_set(level, pages[i])] += needs[i];
    return sum;
}

/* Whether each page misses the level, of those that come there. */
static inline void truth_misses(const struct truth_level *level, const uint64_t *pages,
                                const double *needs, size_t count, bool *misses)
{
    double *sum = truth_load_sets(level, pages, needs, count);
    for (size_t i = 0; i < count; i++) {
        uint64_t set = truth_set(level, pages[i]);
        double ways = (double)(level->ways - (set % 8 > 0 ? level->held : 0));
        misses[i] = needs[i] > 0 && sum[set] > ways + 1e-9;
    }
    free(sum);
}

/* An exclusive level needs room only for that part of the pages of a set that the first level does
 * not hold just then; an inclusive one for all, and what it loses the first one loses too. */
static inline double truth_translation(const struct truth *t, const uint64_t *pages, size_t count)
{
    const struct truth_level *first = &t->level[0], *second = &t->level[1];
    double *needs = allocate(count, sizeof *needs), cost = 0;
    bool *lost = allocate(count, sizeof *lost), *misses = allocate(count, sizeof *misses);
    for (size_t i = 0; i < count; i++)
        needs[i] = 1;
    if (t->relation == INCLUSION_INCLUSIVE && second->ways > 0)
        truth_misses(second, pages, needs, count, lost);
    for (size_t i = 0; i < count; i++)
        needs[i] = !lost[i];
    double *in_first = truth_load_sets(first, pages, needs, count);
    truth_misses(first, pages, needs, count, misses);
    for (size_t i = 0; i < count; i++) {
        double held = (double)first->ways / in_first[truth_set(first, pages[i])];
        needs[i] = !misses[i] ? 0 : t->relation == INCLUSION_EXCLUSIVE ? 1 - held : 1;
        cost += lost[i] ? truth_cost[2] : misses[i] ? truth_cost[1] : 0;
    }
    if (second->ways > 0 && t->relation != INCLUSION_INCLUSIVE)
        truth_misses(second, pages, needs, count, lost);
    for (size_t i = 0; i < count; i++)
        cost += lost[i] && needs[i] > 0 && misses[i] ? truth_cost[2] - truth_cost[1] : 0;
    free(in_first);
    free(needs);
    free(lost);
    free(misses);
    return cost / (double)count;
}

/* The control's own pages, visited in random order once they are too many. */
static inline double truth_packed(const struct truth *t, double nodes)
{
    double cost = 0, lines = TRUTH_PAGE / TRUTH_LINE;
    for (int i = 0; i < 2 && t->level[i].ways > 0; i++)
        cost += (truth_cost[i + 1] - truth_cost[i]) *
                fmax(0, 1 - (double)(t->level[i].ways * t->level[i].sets) * lines / nodes);
    return truth_load + cost;
}

static inline double truth_time(const struct truth *t, const struct point *point)
{
    struct point p = *point;
    size_t count = p.targets > 0 ? p.targets + p.others : p.pages;
    if (t->level[1].held == 0)
        p.sample = 0; /* others look at other sets, which are all alike */
    if (t->level[0].ways == 0)
        return truth_load;
    if (p.layout == &layouts[LAYOUT_PACKED])
        return truth_packed(t, (double)p.pages);
    uint64_t *pages = allocate(count, sizeof *pages);
    for (size_t i = 0; i < count; i++)
        pages[i] = p.layout->offset(&p, TRUTH_LINE, i) / TRUTH_PAGE;
    double ns = truth_load + truth_translation(t, pages, count);
    free(pages);
    return ns;
}

/* ---- the loop ---- */

/* Whether pages far apart keep to the address space that there is. */
static inline bool truth_has_room(const struct plan_options *options, const struct point *point)
{
    uint64_t apart = point->targets > 0 ? point->targets : point->pages;
    return point->spacing <= TRUTH_PAGE || apart * point->spacing <= options->address_bytes;
}

/* Measures a batch; no sample may be asked for twice, and none left out. */
static inline void truth_take(const struct truth *t, const struct plan_options *options,
                              struct series *series, const struct point *points, size_t count)
{
    static struct random random;
    struct series exact;
    series_init(&exact);
    if (series->count == 0)
        random_seed(&random, t->seed, 0);
    for (size_t i = 0; i < count; i++) {
        struct sample s = {.point = points[i]};
        const struct group *known = series_find(series, &s.point);
        CU_ASSERT_EQUAL(s.point.sample, known != NULL ? known->count : 0);
        CU_ASSERT_TRUE(truth_has_room(options, &s.point));
        known = series_find(&exact, &s.point);
        bool alike = known != NULL && (s.point.targets == 0 || t->level[1].held == 0);
        s.ns = alike ? known->ns[0] : truth_time(t, &s.point);
        series_add(&exact, &s);
        s.ns *= fmax(0.1, 1 + t->noise * random_normal(&random));
        series_add(series, &s);
    }
    series_free(&exact);
}

/* The loop of plan and measurement; returns the number of batches. */
static inline int truth_measure(const struct truth *t, const struct plan_options *options,
                                struct series *series)
{
    struct point *points;
    size_t count;
    int batches = 0;
    while ((count = plan_next(options, series, &points)) > 0 && batches < TRUTH_BATCHES) {
        truth_take(t, options, series, points, count);
        free(points);
        batches++;
    }
    free(points);
    CU_ASSERT_TRUE(batches < TRUTH_BATCHES);
    return batches;
}

/* Fewer pages than `sweep` takes, so that the tests take less time. */
static inline struct plan_options truth_plan(void)
{
    static uint64_t bounds[] = {4, 8192};
    struct plan_options options = plan_defaults(TRUTH_PAGE, TRUTH_LINE);
    free(options.pages.values);
    options.pages.values = bounds;
    options.kind = PLAN_GEOMETRY;
    return options;
}

/* All that a sorted series tells. */
static inline struct stride_profile truth_profile(struct series *series)
{
    const struct point *pages[CONTROLS_MOST];
    CU_ASSERT_FATAL(control_curves(series, pages) > 0);
    struct stride_profile profile = stride_profile_open(series, pages[0]);
    for (int k = 1; k <= STRIDE_PROFILE_STRIDES && profile.levels > 0; k++)
        if (!stride_profile_add(&profile, k))
            break;
    return profile;
}

/* From nothing to the rows; returns their number. */
static inline size_t truth_tell(const struct truth *t, const struct plan_options *options,
                                struct organisation rows[STRIDE_PROFILE_LEVELS])
{
    struct series series;
    series_init(&series);
    truth_measure(t, options, &series);
    struct stride_profile profile = truth_profile(&series);
    size_t count = organisation_of(&profile, rows);
    series_free(&series);
    return count;
}

#endif
