/* plan.c: samples in, the points still worth measuring out. */
#include "tlb/plan/plan.h"
#include "measure/run.h"
#include "tlb/plan/batch.h"
#include "tlb/plan/questions.h"
#include <stdlib.h>

/* The questions of a plan with a page for each node, a kernel that times its runs, and as many
 * samples as the plan likes; NULL: none. */
static questions *asks_of(const struct plan_options *o)
{
    bool asks = o->kernel->timer != NULL && o->spacing == o->page_bytes && o->samples == 0;
    return asks ? presets[o->kind].asks : NULL;
}

size_t plan_next(const struct plan_options *options, struct series *series, struct point **points)
{
    series_sort(series);
    struct batch batch = {.options = options,
                          .series = series,
                          .like = {.spacing = options->spacing,
                                   .page_bytes = options->page_bytes,
                                   .backing = options->backing,
                                   .kernel = options->kernel}};
    const struct preset *plan = &presets[options->kind];
    questions *asks = asks_of(options);
    size_t count = asks != NULL ? questions_next(&batch, asks, false, points) : 0;
    if (count > 0)
        return count;
    plan->curves(&batch);
    if (batch.count == 0 && asks != NULL &&
        (count = questions_next(&batch, asks, true, points)) > 0)
        return count;
    if (batch.count == 0 && asks != NULL && plan->last != NULL)
        plan->last(&batch);
    return batch_points(&batch, points);
}

unsigned plan_columns(const struct plan_options *plan)
{
    return presets[plan->kind].columns | (plan->kernel->chases ? 0 : SAMPLE_LAB) |
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
        complete = run_points(run, &(struct points){points, count}, 1, series);
    } while (complete && count > 0);
    free(points);
    return run_end(run);
}
