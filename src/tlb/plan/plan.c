/* plan.c: samples in, the points still worth measuring out: a row for each kind of plan. */
#include "tlb/plan/plan.h"
#include "access/kernel.h"
#include "measure/run.h"
#include "tlb/plan/presets.h"
#include "tlb/plan/questions.h"
#include <stdlib.h>

enum { SAMPLES_GRID = 7 }; /* [tuned: unknown] */

/* Every layout at every size. */
static void plan_grid(struct batch *batch)
{
    const struct plan_options *o = batch->options;
    for (size_t i = 0; i < o->pages.count; i++)
        for (int l = 0; l < OPTION_LAYOUTS && o->layouts[l] != NULL; l++)
            request(batch, o->layouts[l], o->pages.values[i], ROLE_SWEEP, SAMPLES_GRID);
}

/* Questions are asked until answers are likely; then there are the points of `curves`; then
 * questions until they are certain, and the points of `last`. */
static const struct {
    plan_function *curves, *last;
    questions *asks;
    unsigned columns; /* optional ones */
} plans[] = {
    [PLAN_TLB] = {plan_curves, NULL, questions_of_levels, SAMPLE_SET},
    [PLAN_GEOMETRY] = {plan_curves, plan_overload, questions_of_sets, SAMPLE_SET},
    [PLAN_COALESCING] = {plan_coalescing, NULL, questions_of_levels, 0},
    [PLAN_CACHES] = {plan_caches, NULL, NULL, SAMPLE_CHAINS},
    [PLAN_LINE] = {plan_line, NULL, questions_of_cache, 0},
    [PLAN_PREFETCH] = {plan_prefetch, NULL, NULL, SAMPLE_PROBE},
    [PLAN_WALK] = {plan_walk, NULL, NULL, 0},
    [PLAN_GRID] = {plan_grid, NULL, NULL, 0},
    [PLAN_DENSITY] = {plan_density, NULL, NULL, 0},
};

/* The questions of a plan with a page for each node, a kernel that times its runs, and as many
 * samples as the plan likes; NULL: none. */
static questions *asks_of(const struct plan_options *o)
{
    bool asks = o->kernel->timer != NULL && o->spacing == o->page_bytes && o->samples == 0;
    return asks ? plans[o->kind].asks : NULL;
}

size_t plan_next(const struct plan_options *options, struct series *series, struct point **points)
{
    series_sort(series);
    struct batch batch = batch_begin(options, series);
    questions *asks = asks_of(options);
    size_t count = asks != NULL ? questions_next(&batch, asks, false, points) : 0;
    if (count > 0)
        return count;
    plans[options->kind].curves(&batch);
    if (batch.count == 0 && asks != NULL &&
        (count = questions_next(&batch, asks, true, points)) > 0)
        return count;
    if (batch.count == 0 && asks != NULL && plans[options->kind].last != NULL)
        plans[options->kind].last(&batch);
    return batch_points(&batch, points);
}

unsigned plan_columns(const struct plan_options *plan)
{
    return plans[plan->kind].columns | (plan->kernel->chases ? 0 : SAMPLE_LAB) |
           (asks_of(plan) != NULL ? SAMPLE_SET | SAMPLE_MOMENT : 0);
}

int plan_run(const struct plan_options *plan, const struct run_options *options,
             struct series *series)
{
    struct point *points;
    size_t count = plan_next(plan, series, &points); /* again below, where it is measured */
    struct run_options batches = *options;
    batches.batches = true;
    struct run *run = run_begin(&batches, points, count, plan_columns(plan));
    bool complete;
    do {
        free(points);
        count = plan_next(plan, series, &points);
        complete = run_points(run, &(struct points){points, count, count}, 1, series);
    } while (complete && count > 0);
    free(points);
    return run_end(run);
}
