/* sweep: measures the points that plan chooses, analyses the samples, and plans again.
 *
 * usage: sweep [OPTION...]
 * Without options it measures the points that detect needs for this machine's TLB. It is the loop
 * of `plan SAMPLES` and `chase`, in one process.
 *
 * example: sweep | detect --claims
 */
#include "base/error.h"
#include "base/random.h"
#include "measure/measure.h"
#include "measure/run.h"
#include "tlb/plan/arguments.h"
#include "tlb/plan/plan.h"
#include <math.h>
#include <stdlib.h>

static const char *resume;
static double budget = NAN; /* not given */

static const struct flag flags[] = {
    {"resume", FLAG_TEXT, &resume, "FILE", "copy FILE's rows, measure what is missing"},
    {"budget", FLAG_SECONDS, &budget, "SECONDS", "stop after so many seconds"},
    {0},
};

static const struct program program = {
    .name = "sweep",
    .purpose = "measure the points that show the size of a TLB",
    .operands = "",
    .example = "sweep | detect --claims",
    .flags = flags,
    .shared = plan_flags,
    .per_run = "resume budget ",
    .inherits = "plan ",
    .writes_table = true,
    .topics = plan_topics,
};

static void warn_of_governor(const struct facts *facts)
{
    const char *governor = facts_slow_governor(facts);
    if (governor != NULL && !args_quiet)
        warn("the governor %s saves power: the clock of a core falls when it has little to do, and "
             "times change while it rises; 'cpupower frequency-set -g performance', as root, keeps "
             "it up",
             governor);
}

static double choose_budget(const struct plan_options *plan)
{
    double usual = plan_arguments.pages.count == 0 ? presets[plan->kind].budget_s : 0;
    return !isnan(budget) ? budget : usual > 0 ? usual : INFINITY;
}

static int measure(const struct plan_options *plan, const struct facts *facts, struct core core,
                   struct earlier *earlier)
{
    const struct plan_arguments *given = &plan_arguments;
    bool density = plan->kind == PLAN_DENSITY;
    struct this_machine here;
    struct series series;
    struct rig_options rig = {
        .core = core,
        .memory = {.seed = given->seed,
                   .line_bytes = plan->line_bytes,
                   .lock = density,
                   .sizes_given = given->pages.count > 0 || given->buffer > 0},
        .loads = density && given->loads == 0 ? DENSITY_LOADS : given->loads};
    struct machine machine = this_machine_open(&here, &rig, facts);
    struct run_options options = {
        .machine = &machine, .budget_s = choose_budget(plan), .earlier = earlier};
    series_init(&series);
    int status = plan_run(plan, &options, &series);
    series_free(&series);
    return status;
}

/* The core is chosen before the facts are gathered (binding.h). */
static int sweep(void)
{
    uint64_t *seed = &plan_arguments.seed;
    struct earlier earlier = {0};
    if (resume != NULL)
        earlier = earlier_resume(resume, seed);
    if (*seed == 0)
        *seed = random_fresh_seed();
    core_restrict(plan_arguments.core_kind.chosen);
    struct core core = core_pin();
    struct facts *facts = facts_gather();
    struct plan_options plan = plan_choose(facts, &earlier, true);
    warn_of_governor(facts);
    int status = measure(&plan, facts, core, &earlier);
    facts_free(facts);
    earlier_free(&earlier);
    return status;
}

int main(int argc, char **argv)
{
    args_parse(&program, argc, argv);
    return finish(sweep());
}
