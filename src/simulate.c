/* simulate: what chase would have measured on a machine whose TLBs and caches are known.
 *
 * usage: simulate [OPTION...] MACHINE [POINTS...]
 * MACHINE is a machine description. Without POINTS (`-` is stdin) it takes the points that sweep
 * would take, refinement included. Chance depends on the seed and the point alone.
 *
 * example: simulate --seed 42 --noise gauss:2 tests/models/zen4.tsv | detect --claims
 */
#include "args.h"
#include "error.h"
#include "model.h"
#include "noise.h"
#include "options.h"
#include "plan.h"
#include "run.h"
#include "series.h"
#include "table.h"
#include <stdio.h>
#include <stdlib.h>

static struct noise noise;
static uint64_t seed;
static const char *noise_list = "";

static const char *preset_name;
static uint64_t page_size;

static const struct flag flags[] = {
    {"preset", FLAG_TEXT, &preset_name, "NAME",
     "what sweep would measure for, without POINTS (tlb)", false},
    {"page-size", FLAG_SIZE, &page_size, "SIZE",
     "the pages that sweep would ask for, also huge ones", false},
    {"seed", FLAG_COUNT, &seed, "N", "seed of chains, page frames and noise (from POINTS)", false},
    {"noise", FLAG_TEXT, &noise_list, "LIST", "gauss:P,spikes:P,drift:P,ramp:P, in per cent",
     false},
    {0},
};

static const struct program program = {
    .name = "simulate",
    .purpose = "measure points on a simulated machine",
    .operands = "MACHINE [POINTS...]",
    .example = "simulate --seed 42 --noise gauss:2 tests/models/zen4.tsv | detect --claims",
    .flags = flags,
    .writes_table = true,
    .more_help = option_print_presets,
};

static struct table *read_points(struct points *list, const struct model *model, char **files,
                                 int count)
{
    struct table *table = table_open(files, count);
    struct point_reader *reader = point_reader_open(table, false);
    int pages = table_column(table, "pages");
    struct sample row;
    while (point_reader_next(reader, &row)) {
        const char *why = model_refuses(model, &row.point);
        if (why != NULL)
            table_die(table, pages, "%s", why);
        points_append(list, &row.point);
    }
    point_reader_close(reader);
    return table;
}

/* The truth. What the points' table says of another machine is taken back where this one has no
 * such thing. */
static void put_truth(const char *key, uint64_t value, const struct table *source)
{
    if (value > 0)
        table_put_meta(key, "%llu", (unsigned long long)value);
    else if (source != NULL && table_meta(source, -1, key) != NULL)
        table_put_meta(key, "-");
}

/* As facts.h names what a machine claims. */
static void put_claims(const char *name, const struct model_rows *rows, uint64_t page_bytes,
                       const struct table *source)
{
    const struct model_level *levels[MODEL_LEVELS];
    int count = model_levels(rows, page_bytes, levels);
    for (int i = 0; i < 3; i++) {
        char key[64];
        snprintf(key, sizeof key, "claim_%s%d_entries", name, i + 1);
        put_truth(key, i < count ? levels[i]->shape.entries : 0, source);
        snprintf(key, sizeof key, "claim_%s%d_ways", name, i + 1);
        put_truth(key, i < count ? levels[i]->shape.ways : 0, source);
    }
}

static void put_head(const struct model *m, const struct table *source)
{
    static const char *const names[] = {"l1d_bytes", "l2_bytes", "l3_bytes"};
    const struct model_level *caches[MODEL_LEVELS];
    int count = model_levels(&m->cache, m->page_bytes, caches);
    table_begin(source);
    table_put_meta("cpu", "simulated %s", m->name);
    put_truth("page_bytes", m->page_bytes, NULL);
    put_truth("line_bytes", m->line_bytes, NULL);
    for (int i = 0; i < 3; i++)
        put_truth(names[i], i < count ? caches[i]->shape.entries * m->line_bytes : 0, source);
    put_claims("dtlb", &m->dtlb, m->page_bytes, source);
    put_claims("itlb", &m->itlb, m->page_bytes, source);
    table_put_meta("seed", "%llu", (unsigned long long)seed);
}

static void measure(const struct model *model, const struct point *point, struct sample *sample)
{
    model_measure(model, point, seed, sample);
    noise_disturb(&noise, seed, sample);
}

static void simulate_points(const struct model *model, const struct points *list)
{
    struct sample_columns columns = run_columns(list->at, list->count);
    samples_header(columns);
    for (size_t i = 0; i < list->count; i++) {
        struct sample sample;
        measure(model, &list->at[i], &sample);
        samples_write(&sample, columns);
    }
}

/* The loop of `sweep --plan` and this program. */
static void simulate_sweep(const struct model *model)
{
    struct plan_options plan = option_plan(preset_name, page_size, model->page_bytes,
                                           model->line_bytes);
    struct sample_columns columns = {.set = plan.kind == PLAN_GEOMETRY};
    struct series series;
    struct point *points;
    size_t count;
    series_init(&series);
    samples_header(columns);
    while ((count = plan_next(&plan, &series, &points)) > 0) {
        for (size_t i = 0; i < count; i++) {
            struct sample sample;
            const char *why = model_refuses(model, &points[i]);
            if (why != NULL)
                die("%llu pages: %s", (unsigned long long)points[i].pages, why);
            measure(model, &points[i], &sample);
            samples_write(&sample, columns);
            series_add(&series, &sample);
        }
        free(points);
    }
    free(points);
    free(plan.pages.values);
    series_free(&series);
}

int main(int argc, char **argv)
{
    struct model model;
    struct points list = {0};
    struct table *source = NULL;
    int first = args_parse(&program, argc, argv), status = STATUS_DONE;
    noise_parse(&noise, noise_list);
    if (first == argc)
        die_usage("which machine? give a machine description, see simulate(1)");
    model_read(&model, argv[first]);
    if (first + 1 < argc)
        source = read_points(&list, &model, argv + first + 1, argc - first - 1);
    if (seed == 0)
        seed = option_seed(source);
    put_head(&model, source);
    if (source != NULL) {
        simulate_points(&model, &list);
        status = table_partial(source);
        table_close(source);
    } else
        simulate_sweep(&model);
    free(list.at);
    return finish(status);
}
