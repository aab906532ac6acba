/* print.c: samples in, the points still worth measuring out, as a table. */
#include "tlb/plan/print.h"
#include "base/error.h"
#include "base/random.h"
#include "tlb/plan/arguments.h"
#include "tlb/plan/plan.h"
#include <stdlib.h>

static void put_points(const struct plan_options *plan, const struct earlier *earlier,
                       const struct point *points, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (point_refuses(&points[i]) != NULL)
            die("%s", point_refuses(&points[i]));
    table_begin(earlier->table);
    earlier_put_options();
    table_put_meta("seed", "%llu", (unsigned long long)plan_arguments.seed);
    if (plan->kind == PLAN_DENSITY) {
        table_put_meta("buffer_bytes", "%llu", (unsigned long long)plan->density.buffer_bytes);
        table_put_meta("chain", "%s", chain_mode_name(plan->density.chain));
    }
    points_header(plan_columns(plan));
    for (size_t i = 0; i < count; i++)
        points_write(&points[i], plan_columns(plan));
}

int plan_print(char *const *files, int count)
{
    struct earlier earlier = earlier_read(files, count);
    if (earlier.table != NULL)
        earlier_inherit(&earlier, &plan_arguments.seed);
    if (plan_arguments.seed == 0)
        plan_arguments.seed = random_fresh_seed();
    struct facts *facts = facts_gather();
    struct plan_options plan = plan_choose(facts, &earlier, false);
    struct series series;
    struct point *points;
    series_init(&series);
    for (size_t i = 0; i < earlier.count; i++)
        series_add(&series, &earlier.rows[i]);
    size_t found = plan_next(&plan, &series, &points);
    put_points(&plan, &earlier, points, found);
    int status = earlier.table != NULL ? table_partial(earlier.table) : STATUS_DONE;
    free(points);
    series_free(&series);
    facts_free(facts);
    free(plan.pages.values);
    earlier_free(&earlier);
    return status;
}
