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
                   (points[i].moment > 0 ? SAMPLE_MOMENT : 0) |
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

/* Samples, and the estimated seconds that they take. */
struct work {
    size_t samples;
    double seconds;
};

/* There is no limit to the passes: SIZE_MAX samples may be more. */
static struct work all_passes(const struct run *run, const struct points *points, uint64_t passes)
{
    struct work work = {.samples = SIZE_MAX};
    if (points->count == 0 || passes <= SIZE_MAX / points->count)
        work.samples = points->count * (size_t)passes;
    for (size_t i = 0; i < points->count; i++)
        work.seconds += (double)passes * estimate_s(run, &points->at[i]);
    return work;
}

/* Subtracts what the earlier run measured, which are the first passes, as far as it came. */
static void subtract_earlier(const struct run *run, const struct points *points, uint64_t passes,
                             struct work *work)
{
    bool found = run->options.earlier != NULL;
    for (uint64_t pass = 0; pass < passes && found; pass++) {
        found = false;
        for (size_t i = 0; i < points->count; i++) {
            struct point point = points->at[i];
            point.sample += pass;
            if (!earlier_has(run->options.earlier, &point))
                continue;
            found = true;
            work->samples--;
            work->seconds -= estimate_s(run, &point);
        }
    }
}

/* The points to measure. Warns of a long run. */
static struct work announce(const struct run *run, const struct points *points, uint64_t passes)
{
    struct work work = all_passes(run, points, passes);
    subtract_earlier(run, points, passes, &work);
    double about = fmin(work.seconds * run->pace, run->options.budget_s - elapsed_s(run));
    if (about > long_run_s && !args_quiet)
        warn_at_once("%zu samples, about %.0f s", work.samples, about);
    return work;
}

/* One call of run_points(). */
struct progress {
    struct work planned, done;
    double begin_s; /* elapsed_s() at its start */
};

static void draw(struct run *run, const struct progress *p)
{
    if (run->options.batches)
        progress_draw(run->taken++, 0, run->options.budget_s - elapsed_s(run));
    else
        progress_draw(p->done.samples, p->planned.samples,
                      (p->planned.seconds - p->done.seconds) * run->pace);
}

/* Measures a sample and writes its row. False when the budget does not allow it. */
static bool measure_point(struct run *run, const struct point *point, struct progress *p,
                          struct series *series)
{
    struct sample sample = {0};
    double next = estimate_s(run, point);
    if (elapsed_s(run) + next * run->pace > run->options.budget_s) {
        run->cut = true;
        return false;
    }
    draw(run, p);
    row_clear(sample_row_columns, &sample);
    run->machine->measure(run->machine->self, point, &sample);
    if (!run->options.no_table)
        samples_write(&sample, run->columns);
    if (series != NULL)
        series_add(series, &sample);
    p->done.samples++;
    p->done.seconds += next;
    if (p->done.seconds > 0.02) /* the first samples are too short for an estimate of the pace */
        run->pace = (elapsed_s(run) - p->begin_s) / p->done.seconds;
    return true;
}

/* The sample of the earlier run, which is then in the series; false: it has none. */
static bool take_earlier(const struct run *run, const struct point *point, struct series *series)
{
    struct earlier *earlier = run->options.earlier;
    const struct sample *sample = earlier != NULL ? earlier_take(earlier, point) : NULL;
    if (sample != NULL && series != NULL)
        series_add(series, sample);
    return sample != NULL;
}

bool run_points(struct run *run, const struct points *points, uint64_t passes,
                struct series *series)
{
    const struct machine *machine = run->machine;
    check_points(machine, points->at, points->count);
    struct progress progress = {.planned = announce(run, points, passes)};
    if (machine->prepare != NULL && progress.planned.samples > 0)
        machine->prepare(machine->self, points->at, points->count);
    progress.begin_s = elapsed_s(run);
    for (uint64_t pass = 0; pass < passes; pass++)
        for (size_t i = 0; i < points->count; i++) {
            struct point point = points->at[i];
            point.sample += pass;
            if (!take_earlier(run, &point, series) &&
                !measure_point(run, &point, &progress, series))
                return false;
        }
    return true;
}

/* ---- lists of points ---- */

void point_list_read(struct point_list *list, char **files, int count,
                     const char *(*adapt)(struct point *point))
{
    if (count == 0) /* of programs that have points from options, too */
        table_instead = "; give --pages, or a table of points";
    struct table *table = list->source = table_open(files, count);
    struct point_reader *reader = point_reader_open(table, false);
    struct sample row;
    while (point_reader_next(reader, &row)) {
        const char *why = adapt(&row.point);
        if (why != NULL)
            die("%s:%lu: %s", table_file_name(table, table_file(table)), table_line(table), why);
        points_append(&list->points, &row.point);
    }
    point_reader_close(reader);
}

int point_list_measure(struct point_list *list, const struct machine *machine, double budget_s)
{
    struct points *points = &list->points;
    struct run_options options = {.machine = machine,
                                  .budget_s = budget_s,
                                  .earlier = &list->earlier,
                                  .source = list->source};
    struct run *run = run_begin(&options, points->at, points->count,
                                run_columns(points->at, points->count));
    run_points(run, points, list->passes > 0 ? list->passes : 1, NULL);
    int status = run_end(run);
    if (list->source != NULL) {
        status = table_partial(list->source) ? STATUS_PARTIAL : status;
        table_close(list->source);
    }
    earlier_free(&list->earlier);
    free(points->at);
    return status;
}
