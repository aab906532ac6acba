/* run.c: points in, rows out. */
#include "measure/run.h"
#include "access/earlier.h"
#include "access/kernel.h"
#include "access/layout.h"
#include "base/args.h"
#include "base/error.h"
#include "base/progress.h"
#include "measure/clock.h"
#include "measure/mistake.h"
#include "platform.h"
#include "table/table.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A run that is longer than this says so beforehand, even where stderr is no terminal. */
static const double long_run_s = 20;

struct run {
    struct run_options options;
    struct sample_columns columns;
    struct rig *rig;
    double spent_s, pace; /* time used so far; how much slower samples are than was estimated */
    uint64_t start_ns;
    double quickest_ns; /* of an access that had to wait for one before it */
};

struct sample_columns run_columns(const struct point *points, size_t count)
{
    struct sample_columns columns = {0};
    for (size_t i = 0; i < count; i++) {
        columns.lab = columns.lab || !points[i].kernel->chases;
        columns.set = columns.set || points[i].targets > 0;
        columns.chains = columns.chains || points[i].chains > 1;
    }
    return columns;
}

static double elapsed_s(const struct run *run)
{
    return (double)(platform_now_ns() - run->start_ns) / 1e9;
}

/* What is asked of the memory; what came of it is in the rows, as it is learnt after the header. */
static void put_asked(const struct run *run, const struct point *points, size_t count)
{
    char list[128] = "";
    for (const struct backing *backing = backings; backing->name != NULL; backing++)
        for (size_t i = 0; i < count; i++)
            if (points[i].backing == backing) {
                size_t used = strlen(list);
                snprintf(list + used, sizeof list - used, "%s%s", used > 0 ? ", " : "",
                         backing->name);
                break;
            }
    table_put_meta("backing", "%s", *list != '\0' ? list : "-");
    if (run->options.rig.memory.lock)
        table_put_meta("locked", "asked");
}

struct run *run_begin(const struct run_options *options, const struct point *points, size_t count,
                      struct sample_columns columns)
{
    struct run *run = allocate(1, sizeof *run);
    run->options = *options;
    run->columns = columns;
    run->columns.counted = run->columns.backed = true;
    run->columns.locked = options->rig.memory.lock;
    run->start_ns = platform_now_ns();
    run->pace = 1;
    run->quickest_ns = INFINITY;
    run->rig = rig_open(&options->rig);
    rig_check(run->rig, points, count);
    table_begin(options->source);
    earlier_put_options();
    facts_put_meta(options->facts);
    size_t box = 0;
    while (box < count && points[box].buffer == 0)
        box++;
    if (box < count) {
        table_put_meta("buffer_bytes", "%llu", (unsigned long long)points[box].buffer);
        table_put_meta("chain", "%s", chain_mode_name(points[box].chain));
    }
    put_asked(run, points, count);
    rig_put_meta(run->rig);
    samples_header(run->columns);
    rig_prepare(run->rig, points, count);
    if (options->rig.mistake == NULL || !options->rig.mistake->cold)
        clock_warm_up();
    return run;
}

/* The time that an access had at least, of those that wait for one another. */
static void note_quickest(struct run *run, const struct sample *s)
{
    double ns = s->ns * (s->point.chains > 1 ? (double)s->point.chains : 1);
    if (s->point.kernel->chases && ns < run->quickest_ns)
        run->quickest_ns = ns;
}

/* No load takes less than a cycle. The frequency is estimated again, now that the processor is
 * warm; that takes some milliseconds, so only where a sample was quicker than a cycle of 1 GHz. */
static void warn_impossible(const struct run *run)
{
    double cycle_ns = run->quickest_ns < 1 ? 1 / clock_ghz() : 0;
    if (run->quickest_ns < cycle_ns)
        warn("an access took %.2g ns, less than a cycle of this processor (%.2g ns): that is "
             "impossible for a load whose address is the value of the one before. Likely the "
             "compiler left the loop out, or the accesses do not wait for one another",
             run->quickest_ns, cycle_ns);
}

void run_end(struct run *run)
{
    warn_impossible(run);
    rig_close(run->rig);
    free(run);
}

void run_copy(struct run *run, const struct sample *sample)
{
    samples_write(sample, run->columns);
    if (run->options.series != NULL)
        series_add(run->options.series, sample);
}

bool run_points(struct run *run, const struct point *points, size_t count)
{
    double planned = 0, used = 0, begin = elapsed_s(run);
    for (size_t i = 0; i < count; i++)
        planned += rig_estimate_s(run->rig, &points[i]);
    double about = fmin(planned * run->pace, run->options.budget_s - begin);
    if (about > long_run_s && !args_quiet)
        warn("%zu samples, about %.0f s", count, about);
    for (size_t i = 0; i < count; i++) {
        struct sample sample;
        double next = rig_estimate_s(run->rig, &points[i]) * run->pace;
        if (elapsed_s(run) + next > run->options.budget_s)
            return false;
        progress_draw(i, count, (planned - used) * run->pace);
        rig_measure(run->rig, &points[i], &sample);
        note_quickest(run, &sample);
        run_copy(run, &sample);
        used += rig_estimate_s(run->rig, &points[i]);
        if (used > 0.02) /* the first samples say little */
            run->pace = (elapsed_s(run) - begin) / used;
    }
    if (count > 0)
        progress_draw(count, count, 0);
    return true;
}
