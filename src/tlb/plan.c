/* plan: chooses the points that are still worth measuring, given the samples so far.
 *
 * usage: plan [OPTION...] [SAMPLES...]
 * Without SAMPLES these are the first points; when the samples are enough, there are none. sweep is
 * the loop of `plan SAMPLES` and `chase`, in one process.
 *
 * example: plan | chase | detect
 */
#include "tlb/plan/plan.h"
#include "base/error.h"
#include "base/random.h"
#include "tlb/plan/arguments.h"
#include <stdlib.h>

static const struct flag flags[] = {
    {"gpu", FLAG_YES, &plan_arguments.gpu, NULL,
     "plan for a graphics card, which gpu chase measures",
     .excludes = "backing density preset=geometry,coalescing,itlb,line,walk,prefetch "
                 "kernel=write,random,code,linear,dummy,probe"},
    {0}};

static const struct program program = {
    .name = "plan",
    .purpose = "choose the points that are still worth measuring",
    .operands = "[SAMPLES...]",
    .example = "plan | chase | detect",
    .flags = flags,
    .shared = plan_flags,
    .inherits = "sweep ",
    .writes_table = true,
    .topics = plan_topics,
};

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
        table_put_meta("buffer_bytes", "%llu", (unsigned long long)plan->buffer_bytes);
        table_put_meta("chain", "%s", chain_names[plan->chain]);
    }
    points_header(plan_columns(plan));
    for (size_t i = 0; i < count; i++)
        points_write(&points[i], plan_columns(plan));
}

/* Reads the samples of these files (count 0: no samples) and prints the points. */
static int print_points(char *const *files, int count)
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
    earlier_free(&earlier);
    return status;
}

int main(int argc, char **argv)
{
    int first = args_parse(&program, argc, argv);
    return finish(print_points(argv + first, argc - first));
}
