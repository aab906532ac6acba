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
#include "options.h"
#include "plan.h"
#include "random.h"
#include "run.h"
#include "series.h"
#include "table.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum noise_kind { GAUSS, SPIKES, DRIFT, RAMP, NOISES };

static const char *const noise_names[NOISES] = {"gauss", "spikes", "drift", "ramp"};
static double noise[NOISES]; /* as parts of one */

/* Passes from one crest of the drift to the next: more than most runs have, so that it is slow. */
static const double drift_period = 16;

/* Where noise would take more than nine tenths of a time away, it stops. */
static const double least_left = 0.1;

static uint64_t seed;
static const char *noise_list = "";

static const struct flag flags[] = {
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
};

static void parse_noise(const char *text)
{
    while (*text != '\0') {
        size_t length = strcspn(text, ","), name = strcspn(text, ":,");
        double percent;
        int kind = 0;
        while (kind < NOISES &&
               (strlen(noise_names[kind]) != name || memcmp(noise_names[kind], text, name) != 0))
            kind++;
        if (kind == NOISES || name == length ||
            !parse_number(text + name + 1, length - name - 1, &percent) || percent < 0 ||
            percent > 100)
            die_usage("--noise '%.*s': expected gauss, spikes, drift or ramp, a colon, and from 0 "
                      "to 100 per cent",
                      (int)length, text);
        noise[kind] = percent / 100;
        text += length + (text[length] == ',');
    }
}

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

static void put_head(const struct model *m, const struct table *source)
{
    static const char *const caches[] = {"l1d_bytes", "l2_bytes", "l3_bytes"};
    static const char *const tlbs[] = {"claim_dtlb1_entries", "claim_dtlb2_entries"};
    table_begin(source);
    table_put_meta("cpu", "simulated %s", m->name);
    put_truth("page_bytes", m->page_bytes, NULL);
    put_truth("line_bytes", m->line_bytes, NULL);
    for (int i = 0; i < 3; i++)
        put_truth(caches[i], m->cache[i].entries * m->line_bytes, source);
    for (int i = 0; i < 2; i++)
        put_truth(tlbs[i], m->tlb[i].entries, source);
    table_put_meta("seed", "%llu", (unsigned long long)seed);
}

/* What this sample's time is multiplied by. Time is the number of the sample: all samples of a pass
 * over the points are taken at once. */
static double disturbance(const struct sample *sample)
{
    struct random random;
    random_seed(&random, seed, random_mix(model_stream(&sample->point), NOISES));
    double pass = (double)sample->point.sample, two_pi = 6.283185307179586;
    double clock = 1 + noise[DRIFT] * sin(two_pi * pass / drift_period) + noise[RAMP] * exp2(-pass);
    double jitter = 1 + noise[GAUSS] * random_normal(&random);
    bool hit = random_unit(&random) < noise[SPIKES];
    double delay = -log(1 - random_unit(&random)); /* exponential, mean 1 */
    return fmax(least_left, clock * jitter) + (hit ? delay : 0);
}

/* Rounded, so that the last digits of another system's sin() or log() make no other table. */
static void measure(const struct model *model, const struct point *point, struct sample *sample)
{
    model_measure(model, point, seed, sample);
    sample->ns = round(sample->ns * disturbance(sample) * 1e6) / 1e6;
    sample->run_s = sample->loads * sample->ns / 1e9;
    sample->proc_s = sample->refs * sample->ns / 1e9;
}

static void simulate_points(const struct model *model, const struct points *list)
{
    struct sample_columns columns = {.lab = run_is_lab(list->at, list->count)};
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
    struct plan_options plan = plan_defaults(model->page_bytes, model->line_bytes);
    struct sample_columns columns = {0};
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
    parse_noise(noise_list);
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
