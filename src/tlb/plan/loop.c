/* loop.c: plan, measure, write, plan again. */
#include "tlb/plan/loop.h"
#include "base/error.h"
#include "tlb/plan/plan.h"
#include "tlb/plan/questions.h"
#include <stdlib.h>

unsigned plan_columns(const struct plan_options *plan)
{
    return (plan->kernel->chases ? 0 : SAMPLE_LAB) |
           (plan->kind == PLAN_GEOMETRY || plan->kind == PLAN_TLB ? SAMPLE_SET : 0) |
           (questions_apply(plan) ? SAMPLE_SET | SAMPLE_MOMENT : 0) |
           (plan->kind == PLAN_PREFETCH ? SAMPLE_PROBE : 0) |
           (plan->kind == PLAN_CACHES ? SAMPLE_CHAINS : 0);
}

/* The first batch, which sets the sizes of the buffers; plan_run() plans it again to measure it.
 * The plans of caches and of the line begin with small sizes, so their largest size is added. */
static size_t first_batch(const struct plan_options *plan, struct series *series,
                          struct point **points)
{
    size_t count = plan_next(plan, series, points);
    if (count == 0 || (plan->kind != PLAN_CACHES && plan->kind != PLAN_LINE))
        return count;
    *points = reallocate(*points, count + 1, sizeof **points);
    (*points)[count] = (*points)[count - 1];
    (*points)[count].pages = plan->pages.values[plan->pages.count - 1];
    return count + 1;
}

int plan_run(const struct plan_options *plan, const struct run_options *options,
             struct series *series)
{
    struct point *points;
    size_t count = first_batch(plan, series, &points);
    struct run_options batches = *options;
    batches.batches = true;
    struct run *run = run_begin(&batches, points, count, plan_columns(plan));
    bool complete;
    free(points);
    do {
        count = plan_next(plan, series, &points);
        complete = run_points(run, &(struct points){points, count, count}, 1, series);
        free(points);
    } while (complete && count > 0);
    return run_end(run);
}
