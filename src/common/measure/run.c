/* run.c: points in, rows out.
 *
 *     struct run *run = run_begin(&options, points, count, columns);
 *     bool complete = run_points(run, points, count, NULL);
 *     run_end(run);
 */
#include "measure/run.h"
#include "access/kernel.h"
#include "base/args.h"
#include "base/error.h"
#include "base/progress.h"
#include "measure/clock.h"
#include "platform.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* A run longer than this is announced, even when standard error is no terminal. [prior] */
static const double long_run_s = 20;

struct run {
    struct run_options options;
    const struct machine *machine;
    unsigned columns;
    double pace; /* measured time / estimated time */
    uint64_t start_ns;
    size_t taken; /* samples */
    bool cut;     /* the budget ended first */
};

unsigned run_columns(const struct point *points, size_t count)
{
    unsigned columns = 0;
    for (size_t i = 0; i < count; i++)
        columns |= (points[i].kernel->chases ? 0 : SAMPLE_LAB) |
                   (points[i].targets > 0 ? SAMPLE_SET : 0) |
                   (points[i].touches > 0 ? SAMPLE_PROBE : 0) |
                   (points[i].chains > 1 ? SAMPLE_CHAINS : 0);
    return columns;
}

static double elapsed_s(const struct run *run)
{
    return ns_since(run->start_ns) / 1e9;
}

static double estimate_s(const struct run *run, const struct point *point)
{
    return run->machine->estimate_s(run->machine->self, point);
}

static void check_points(const struct machine *machine, const struct point *points, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const char *why = machine->refuses(machine->self, &points[i]);
        if (why != NULL)
            die("%llu pages: %s", (unsigned long long)points[i].pages, why);
    }
}

static void begin_table(struct run *run, const struct point *points, size_t count)
{
    const struct machine *machine = run->machine;
    const struct earlier *earlier = run->options.earlier;
    const struct table *source = run->options.source;
    if (source == NULL && earlier != NULL)
        source = earlier->table;
    machine->put_meta(machine->self, source, points, count);
    samples_header(run->columns);
    for (size_t i = 0; earlier != NULL && i < earlier->count; i++)
        samples_write(&earlier->rows[i], run->columns);
}

/* The rows measured so far are in the file. */
static void offer_resume(void)
{
    static char message[256];
    snprintf(
        message, sizeof message,
        "\n%s: interrupted; for the rest, the same command with --resume FILE >NEW, where FILE "
        "has the rows so far\n",
        program_name);
    platform_say_if_interrupted(message);
}

struct run *run_begin(const struct run_options *options, const struct point *points, size_t count,
                      unsigned columns)
{
    struct run *run = allocate(1, sizeof *run);
    const struct machine *machine = options->machine;
    *run = (struct run){.options = *options,
                        .machine = machine,
                        .columns = columns | machine->columns,
                        .pace = 1,
                        .start_ns = platform_now_ns()};
    check_points(machine, points, count);
    if (!options->no_table) {
        begin_table(run, points, count);
        offer_resume();
    }
    return run;
}

int run_end(struct run *run)
{
    const struct machine *machine = run->machine;
    bool complete = machine->close == NULL || machine->close(machine->self);
    if (run->cut && !run->options.no_table)
        warn("the budget of %g s ended before all was measured; --resume goes on",
             run->options.budget_s);
    complete = complete && !run->cut;
    free(run);
    return complete ? STATUS_DONE : STATUS_PARTIAL;
}

/* Moves the earlier run's samples of these points to the series. The other points move to the
 * front of `points`; returns their number. */
static size_t drop_measured(struct earlier *earlier, struct point *points, size_t count,
                            struct series *series)
{
    size_t left = 0;
    for (size_t i = 0; i < count; i++) {
        const struct sample *sample = earlier_take(earlier, &points[i]);
        if (sample == NULL)
            points[left++] = points[i];
        else if (series != NULL)
            series_add(series, sample);
    }
    return left;
}

/* The estimated seconds of all points. Warns of a long run. */
static double announce(const struct run *run, const struct point *points, size_t count)
{
    double planned = 0;
    for (size_t i = 0; i < count; i++)
        planned += estimate_s(run, &points[i]);
    double about = fmin(planned * run->pace, run->options.budget_s - elapsed_s(run));
    if (about > long_run_s && !args_quiet)
        warn_at_once("%zu samples, about %.0f s", count, about);
    return planned;
}

bool run_points(struct run *run, struct point *points, size_t count, struct series *series)
{
    if (run->options.earlier != NULL)
        count = drop_measured(run->options.earlier, points, count, series);
    check_points(run->machine, points, count);
    if (run->machine->prepare != NULL && count > 0)
        run->machine->prepare(run->machine->self, points, count);
    double planned = announce(run, points, count), used = 0, begin = elapsed_s(run);
    for (size_t i = 0; i < count; i++) {
        struct sample sample = sample_unknown;
        double next = estimate_s(run, &points[i]);
        if (elapsed_s(run) + next * run->pace > run->options.budget_s) {
            run->cut = true;
            return false;
        }
        if (run->options.batches)
            progress_draw(run->taken++, 0, run->options.budget_s - elapsed_s(run));
        else
            progress_draw(i, count, (planned - used) * run->pace);
        run->machine->measure(run->machine->self, &points[i], &sample);
        if (!run->options.no_table)
            samples_write(&sample, run->columns);
        if (series != NULL)
            series_add(series, &sample);
        used += next;
        if (used > 0.02) /* the first samples are too short for an estimate of the pace */
            run->pace = (elapsed_s(run) - begin) / used;
    }
    return true;
}
