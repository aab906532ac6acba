/* plan.c: samples in, the points still worth measuring out. */
#include "tlb/plan/plan.h"
#include "tlb/plan/batch.h"
#include "tlb/plan/presets.h"
#include "tlb/plan/questions.h"

enum { SAMPLES_GRID = 7 }; /* [tuned: unknown] */

/* Every layout at every size. */
static void plan_grid(struct batch *batch)
{
    const struct plan_options *o = batch->options;
    for (size_t i = 0; i < o->pages.count; i++)
        for (int l = 0; l < OPTION_LAYOUTS && o->layouts[l] != NULL; l++)
            request(batch, o->layouts[l], o->pages.values[i], ROLE_SWEEP, SAMPLES_GRID);
}

typedef void plan_function(struct batch *);

/* The levels of a TLB: questions until answers are likely, the curves, and what is left to ask;
 * between them the same for their organisation. */
static size_t ask(struct batch *batch, plan_function *curves, struct point **points)
{
    const struct plan_options *o = batch->options;
    size_t count = questions_next(o, batch->series, false, points);
    if (count > 0)
        return count;
    curves(batch);
    if (batch->count > 0)
        return batch_points(batch, points);
    if (o->kind == PLAN_GEOMETRY && (count = plan_geometry(batch, false, points)) > 0)
        return count;
    count = questions_next(o, batch->series, true, points);
    return count > 0 || o->kind != PLAN_GEOMETRY ? count : plan_geometry(batch, true, points);
}

size_t plan_next(const struct plan_options *options, struct series *series, struct point **points)
{
    static plan_function *const plans[] = {
        [PLAN_TLB] = plan_curves,
        [PLAN_GEOMETRY] = plan_curves,
        [PLAN_COALESCING] = plan_coalescing,
        [PLAN_CACHES] = plan_caches,
        [PLAN_LINE] = plan_line,
        [PLAN_PREFETCH] = plan_prefetch,
        [PLAN_WALK] = plan_walk,
        [PLAN_GRID] = plan_grid,
    };
    series_sort(series);
    if (options->kind == PLAN_DENSITY)
        return density_next(&options->density, series, points);
    struct batch batch = batch_begin(options, series);
    if (questions_apply(options))
        return ask(&batch, plans[options->kind], points);
    plans[options->kind](&batch);
    return batch_points(&batch, points);
}
