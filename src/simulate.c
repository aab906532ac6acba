/* simulate: what chase would have measured on a machine whose TLBs and caches are known.
 *
 * usage: simulate [OPTION...] MACHINE [POINTS...]
 *        simulate [OPTION...] --id ID --secret FILE [POINTS...]
 * MACHINE is a machine description; or a name and a secret make the machine. Without POINTS (`-` is
 * stdin) it takes the points that sweep would take, refinement included. Chance depends on the seed
 * and the point alone.
 *
 * example: simulate --seed 42 --noise gauss:2 zen4 | detect --claims
 */
#include "access/earlier.h"
#include "access/series.h"
#include "base/args.h"
#include "base/error.h"
#include "machine/claim.h"
#include "measure/mistake.h"
#include "measure/run.h"
#include "plan/plan.h"
#include "simulate/model.h"
#include "simulate/noise.h"
#include "simulate/student_machine.h"
#include "table/table.h"
#include <stdio.h>
#include <stdlib.h>

static struct noise noise;
static uint64_t seed;
static const char *noise_list = "";

static struct choice preset = CHOICE_OF(presets);
static uint64_t page_size;
static const char *mistake_name;
static const struct mistake *mistake;
static struct conditions conditions;
static const char *id, *secret_file;
static bool describe;

static const struct flag flags[] = {
    {"preset", FLAG_WORD, &preset, "NAME", "what sweep would measure for, without POINTS (tlb)",
     false},
    {"page-size", FLAG_SIZE, &page_size, "SIZE",
     "the pages that sweep would ask for, also huge ones", false},
    {"seed", FLAG_COUNT, &seed, "N", "seed of chains, page frames and noise (from POINTS)", false},
    {"noise", FLAG_TEXT, &noise_list, "LIST", "gauss:P,spikes:P,drift:P,ramp:P, in per cent",
     false},
    {"mistake", FLAG_TEXT, &mistake_name, "NAME", "conditions broken on purpose: see below", false},
    {"fault", FLAG_TEXT, &mistake_name, "NAME", NULL, false}, /* its older name */
    {"memory", FLAG_SIZE, &conditions.memory_bytes, "SIZE",
     "--mistake swap: what a process may have (the machine's memory_limit_bytes)", false},
    {"id", FLAG_TEXT, &id, "ID", "in place of MACHINE: that of ID, which --secret makes", false},
    {"secret", FLAG_TEXT, &secret_file, "FILE", "the secret that makes the machines of all IDs",
     false},
    {"describe", FLAG_YES, &describe, NULL, "write the machine, in place of samples", false},
    {0},
};

static void print_names(void)
{
    option_print_presets();
    mistake_print_names(true);
}

static const struct program program = {
    .name = "simulate",
    .purpose = "measure points on a simulated machine",
    .operands = "MACHINE [POINTS...]",
    .example = "simulate --seed 42 --noise gauss:2 zen4 | detect --claims",
    .flags = flags,
    .writes_table = true,
    .more_help = print_names,
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

/* The truth, unless the mistake is that it is not. What the points' table says of another machine
 * is taken back where this one has no such thing. */
static void put_truth(const char *key, uint64_t value, const struct table *source)
{
    if (value > 0)
        table_put_meta(key, "%llu", (unsigned long long)mistake_claim(mistake, key, value));
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
        char key[CLAIM_ROOM];
        put_truth(claim_name(name, i + 1, "entries", key), i < count ? levels[i]->shape.entries : 0,
                  source);
        put_truth(claim_name(name, i + 1, "ways", key), i < count ? levels[i]->shape.ways : 0,
                  source);
    }
}

static void put_mistake(void)
{
    if (mistake != NULL)
        table_put_meta("mistake", "%s", mistake->name);
}

/* Of an individual machine the table tells whose it is. All else would be the answer to what is
 * asked, or help to find it: the truth, the seed, the command. */
static void put_student_head(const struct model *m)
{
    table_put_meta("program", "%s", program_name);
    table_put_meta("version", "%s", TLBLAB_VERSION);
    table_put_meta("id", "%s", id);
    put_truth("page_bytes", m->page_bytes, NULL);
    put_truth(claim_line_bytes, m->line_bytes, NULL);
    put_mistake();
}

static void put_public_head(const struct model *m, const struct table *source)
{
    char key[CLAIM_ROOM];
    const struct model_level *caches[MODEL_LEVELS];
    int count = model_levels(&m->cache, m->page_bytes, caches);
    table_begin(source);
    earlier_put_options();
    table_put_meta("cpu", "simulated %s", m->name);
    put_truth("page_bytes", m->page_bytes, NULL);
    put_truth(claim_line_bytes, m->line_bytes, NULL);
    for (int i = 0; i < CLAIM_CACHES; i++)
        put_truth(claim_cache_bytes[i], i < count ? caches[i]->shape.entries * m->line_bytes : 0,
                  source);
    put_truth(claim_name("cache", 1, "ways", key), count > 0 ? caches[0]->shape.ways : 0, source);
    put_claims("dtlb", &m->dtlb, m->page_bytes, source);
    put_claims("itlb", &m->itlb, m->page_bytes, source);
    put_truth("memory_limit_bytes", conditions.memory_bytes, source);
    put_mistake();
    table_put_meta("seed", "%llu", (unsigned long long)seed);
}

static void put_head(const struct model *m, const struct table *source)
{
    if (id != NULL)
        put_student_head(m);
    else
        put_public_head(m, source);
}

/* What is broken on purpose. */
static void choose_conditions(const struct model *model)
{
    mistake = mistake_find(mistake_name, true);
    bool swaps = mistake != NULL && mistake->swaps;
    if (conditions.memory_bytes > 0 && !swaps)
        die_usage("--memory goes with --mistake swap");
    if (conditions.memory_bytes == 0)
        conditions.memory_bytes = model->memory_limit_bytes;
    if (conditions.memory_bytes == 0 && swaps)
        die_usage("--mistake swap: this machine's description has no memory_limit_bytes: --memory "
                  "SIZE gives one");
    conditions.model = model;
}

/* The columns beside the usual ones; faults and migrations where the mistake makes some. */
static struct sample_columns columns_with(struct sample_columns columns)
{
    columns.counted = mistake != NULL && (mistake->swaps || mistake->wanders);
    return columns;
}

static void measure(const struct model *model, const struct point *point, struct sample *sample)
{
    model_measure(model, point, seed, sample);
    conditions.seed = seed;
    if (mistake != NULL && mistake->perturb != NULL)
        mistake->perturb(&conditions, sample);
    noise_disturb(&noise, seed, sample);
}

static void simulate_points(const struct model *model, const struct points *list)
{
    struct sample_columns columns = columns_with(run_columns(list->at, list->count));
    samples_header(columns);
    for (size_t i = 0; i < list->count; i++) {
        struct sample sample;
        measure(model, &list->at[i], &sample);
        samples_write(&sample, columns);
    }
}

/* Dies for a point that this machine cannot have. */
static void check_points(const struct model *model, const struct point *points, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const char *why = model_refuses(model, &points[i]);
        if (why != NULL)
            die("%llu pages: %s", (unsigned long long)points[i].pages, why);
    }
}

/* The loop of `sweep --plan` and this program. What cannot be measured is said before anything is
 * written, as far as the first points show it. */
static void simulate_sweep(const struct model *model)
{
    struct plan_options plan = option_plan(preset.chosen, page_size, model->page_bytes,
                                           model->line_bytes);
    struct sample_columns columns = columns_with((struct sample_columns){
        .set = plan.kind == PLAN_GEOMETRY, .chains = plan.kind == PLAN_CACHES});
    struct series series;
    struct point *points;
    series_init(&series);
    size_t count = plan_next(&plan, &series, &points);
    check_points(model, points, count);
    put_head(model, NULL);
    samples_header(columns);
    while (count > 0) {
        for (size_t i = 0; i < count; i++) {
            struct sample sample;
            measure(model, &points[i], &sample);
            samples_write(&sample, columns);
            series_add(&series, &sample);
        }
        free(points);
        count = plan_next(&plan, &series, &points);
        check_points(model, points, count);
    }
    free(points);
    free(plan.pages.values);
    series_free(&series);
}

/* The machine and, of an individual one, its seed; how many of the operands it took. */
static int read_machine(struct model *model, char **operands, int count)
{
    if ((id != NULL) != (secret_file != NULL))
        die_usage("--id and --secret go together");
    if (id != NULL) {
        if (seed != 0)
            die_usage("--seed: that of an individual machine follows from its id and secret");
        student_machine_read(model, &seed, secret_file, id);
        return 0;
    }
    if (count == 0)
        die_usage("which machine? give a machine description, see simulate(1)");
    model_read(model, model_find(operands[0]));
    return 1;
}

/* Samples of the points in these files, or of those that sweep would take. */
static int simulate(const struct model *model, char **files, int count)
{
    struct points list = {0};
    struct table *source = NULL;
    int status = STATUS_DONE;
    if (count > 0 && (preset.chosen != NULL || page_size > 0))
        die_usage("--preset and --page-size choose points, and '%s' has them: one of them",
                  files[0]);
    if (count > 0)
        source = read_points(&list, model, files, count);
    if (id == NULL && seed == 0)
        seed = earlier_seed(source);
    if (source != NULL) {
        put_head(model, source);
        simulate_points(model, &list);
        status = table_partial(source);
        table_close(source);
    } else
        simulate_sweep(model);
    free(list.at);
    return status;
}

int main(int argc, char **argv)
{
    struct model model;
    int first = args_parse(&program, argc, argv);
    noise_parse(&noise, noise_list);
    first += read_machine(&model, argv + first, argc - first);
    choose_conditions(&model);
    if (!describe)
        return finish(simulate(&model, argv + first, argc - first));
    if (first < argc)
        die_usage("--describe takes no POINTS");
    table_begin(NULL);
    model_write(&model);
    return finish(STATUS_DONE);
}
