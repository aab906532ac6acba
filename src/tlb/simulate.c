/* simulate: the samples that chase would measure on a machine whose TLBs and caches are known.
 *
 * usage: simulate [OPTION...] MACHINE [POINTS...]
 *        simulate [OPTION...] --id ID --secret FILE [POINTS...]
 * MACHINE is a machine description; instead, an id and a secret determine a machine. Without POINTS
 * (`-` is stdin) it uses the points of sweep, refinement included. Random numbers depend only on
 * the seed and the point.
 *
 * example: simulate --seed 42 --noise gauss:2 zen4 | detect --claims
 */
#include "access/earlier.h"
#include "access/layout.h"
#include "access/series.h"
#include "base/args.h"
#include "base/error.h"
#include "machine/claim.h"
#include "measure/mistake.h"
#include "measure/run.h"
#include "table/table.h"
#include "tlb/plan/plan.h"
#include "tlb/simulate/model.h"
#include "tlb/simulate/noise.h"
#include "tlb/simulate/perturb.h"
#include "tlb/simulate/student_machine.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct noise noise;
static uint64_t seed;
static const char *noise_list = "";

static struct choice preset = CHOICE_OF(presets);
static uint64_t page_size;
static const char *mistake_name;
static const struct mistake *mistake;
static perturb *change; /* of a sample, by the mistake */
static struct conditions conditions;
static const char *id, *secret_file, *resume;
static double budget = INFINITY;
static bool describe;

static const struct flag flags[] = {
    {"preset", FLAG_WORD, &preset, "NAME", "what sweep would measure for, without POINTS (tlb)"},
    {"page-size", FLAG_POWER, &page_size, "SIZE",
     "the pages that sweep would request, also huge ones"},
    {"seed", FLAG_COUNT, &seed, "N", "seed of chains, page frames and noise (from POINTS)"},
    {"noise", FLAG_TEXT, &noise_list, "LIST",
     "gauss:P,neighbour:P and so on, in per cent, see simulate(1)"},
    {"mistake", FLAG_TEXT, &mistake_name, "NAME", "plant a mistake: --help mistakes"},
    {"memory", FLAG_SIZE, &conditions.memory_bytes, "SIZE",
     "memory limit of a process (the machine's memory_limit_bytes)", .needs = "mistake=swap"},
    {"id", FLAG_TEXT, &id, "ID", "instead of MACHINE: the one that ID and --secret make",
     .needs = "secret", .excludes = "seed"},
    {"secret", FLAG_TEXT, &secret_file, "FILE", "the secret of the machines of all IDs",
     .needs = "id"},
    {"describe", FLAG_YES, &describe, NULL, "write the machine, instead of samples"},
    {"resume", FLAG_TEXT, &resume, "FILE", "copy FILE's rows, simulate what is missing"},
    {"budget", FLAG_SECONDS, &budget, "SECONDS", "stop after so many seconds"},
    {0},
};

static const struct topic topics[] = {
    {"presets", "Presets", CHOICE_OF(presets), NULL, "what to measure for"},
    {"machines", "Machines", {0}, model_print_names, "processors that come with tlblab"},
    {"mistakes", "Mistakes", {0}, mistake_print_simulated, "textbook mistakes, and how each shows"},
    {0},
};

static const struct program program = {
    .name = "simulate",
    .purpose = "measure points on a simulated machine",
    .operands = "MACHINE [POINTS...]",
    .example = "simulate --seed 42 --noise gauss:2 zen4 | detect --claims",
    .flags = flags,
    .per_run = "resume budget ",
    .writes_table = true,
    .topics = topics,
};

/* Writes a claim: the truth, but with the mistake `claims` a wrong one. `-` revokes the claim of
 * the points' table if this machine has no such structure. */
static void put_truth(const char *key, uint64_t value, const struct table *source)
{
    if (value > 0)
        table_put_meta(key, "%llu", (unsigned long long)mistake_claim(mistake, key, value));
    else if (source != NULL && table_meta(source, -1, key) != NULL)
        table_put_meta(key, "-");
}

/* The claims of one kind of TLB, under the names of facts.h. */
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

/* The metadata of a student's machine: its id, but no claim, seed or command, which would give the
 * answer away. */
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
    if (m->untimed)
        table_put_meta("times", "typical: the description has none");
    put_mistake();
    table_put_meta("seed", "%llu", (unsigned long long)seed);
}

/* ---- the machine ---- */

static const char *refuses(void *self, const struct point *point)
{
    return model_refuses(self, point);
}

static void put_meta(void *self, const struct table *source, const struct point *points,
                     size_t count)
{
    (void)points;
    (void)count;
    if (id != NULL)
        put_student_head(self);
    else
        put_public_head(self, source);
}

/* A simulated access takes about 0.1 us on many machines. [prior] */
static double estimate_s(void *self, const struct point *point)
{
    (void)self;
    return 1e-7 * (double)layout_nodes(point);
}

/* The time per access that the neighbour (another program on the core) adds while it runs. */
static double neighbour_ns(const struct model *model, const struct sample *sample)
{
    struct sample beside;
    if (noise.part[NOISE_NEIGHBOUR] == 0)
        return 0;
    struct model left = model_beside_neighbour(model, noise.part[NOISE_NEIGHBOUR]);
    model_measure(&left, &sample->point, seed, &beside);
    return beside.ns - sample->ns;
}

static void measure(void *self, const struct point *point, struct sample *sample)
{
    model_measure(self, point, seed, sample);
    double extra_ns = neighbour_ns(self, sample);
    conditions.seed = seed;
    if (change != NULL)
        change(&conditions, sample);
    noise_disturb(&noise, seed, extra_ns, sample);
}

/* A mistake that makes page faults or migrations counts them. */
static struct machine machine_of(struct model *model)
{
    return (struct machine){
        .self = model,
        .columns = mistake != NULL && (mistake->swaps || mistake->wanders) ? SAMPLE_COUNTED : 0,
        .refuses = refuses,
        .put_meta = put_meta,
        .estimate_s = estimate_s,
        .measure = measure};
}

/* Chooses the planted mistake and its conditions. */
static void choose_conditions(const struct model *model)
{
    mistake = mistake_find(mistake_name, true);
    change = mistake != NULL ? perturb_of(mistake->name) : NULL;
    bool swaps = mistake != NULL && mistake->swaps;
    if (conditions.memory_bytes == 0)
        conditions.memory_bytes = model->memory_limit_bytes;
    if (conditions.memory_bytes == 0 && swaps)
        die_usage("--mistake swap: the machine description has no memory_limit_bytes: set a "
                  "limit with --memory SIZE");
    conditions.model = model;
}

/* Reads the machine and, for a student's machine, its seed. Returns how many operands it used. */
static int read_machine(struct model *model, char **operands, int count)
{
    if (id != NULL) {
        student_machine_read(model, &seed, secret_file, id);
        return 0;
    }
    if (count == 0)
        die_usage("no MACHINE is given: add a machine description, see simulate(1)");
    model_read(model, model_find(operands[0]));
    return 1;
}

/* The sizes do not depend on the student's machine and therefore reveal nothing: all sizes where
 * first levels end, then one per cent apart. */
static void choose_public_sizes(struct plan_options *plan)
{
    enum { FIRST_LEVELS = 160, PERCENT = 1, SAMPLES = 5 };
    size_t count = 0;
    uint64_t *sizes = NULL;
    for (uint64_t pages = plan->least; pages <= plan->most;
         pages += pages < FIRST_LEVELS ? 1 : pages * PERCENT / 100) {
        sizes = reallocate(sizes, count + 1, sizeof *sizes);
        sizes[count++] = pages;
    }
    plan->sizes = (struct range){.values = sizes, .count = count};
    plan->kind = PLAN_GRID;
    plan->layouts[0] = &layouts[LAYOUT_PAGE];
    plan->layouts[1] = &layouts[LAYOUT_PACKED];
    plan->samples = SAMPLES;
}

/* Samples of the points that sweep would measure. */
static int run_plan(const struct machine *machine, const struct model *model,
                    struct earlier *earlier)
{
    struct plan_options plan = option_plan(preset.chosen, page_size, model->page_bytes,
                                           model->line_bytes);
    struct run_options options = {.machine = machine, .budget_s = budget, .earlier = earlier};
    if (id != NULL && preset.chosen == NULL && page_size == 0)
        choose_public_sizes(&plan);
    struct series series;
    series_init(&series);
    int status = plan_run(&plan, &options, &series);
    free(plan.sizes.values);
    series_free(&series);
    earlier_free(earlier);
    return status;
}

static const char *point_refused(struct point *point)
{
    return model_refuses(conditions.model, point);
}

/* Samples of the points in these files, or without files of those that sweep would measure. */
static int simulate(struct model *model, char **files, int count, struct point_list *list)
{
    struct machine machine = machine_of(model);
    if (count > 0) {
        args_refuse("preset page-size ", "the points of '%s'", files[0]);
        point_list_read(list, files, count, point_refused);
    }
    if (id == NULL && seed == 0)
        seed = earlier_seed(list->source);
    return count > 0 ? point_list_measure(list, &machine, budget)
                     : run_plan(&machine, model, &list->earlier);
}

/* Dies when the run to be resumed was on another machine. */
static void check_machine(const struct model *model, const struct table *earlier)
{
    char here[sizeof model->name + 16];
    const char *cpu = table_meta(earlier, -1, "cpu");
    snprintf(here, sizeof here, "simulated %s", model->name);
    if (cpu == NULL || strcmp(cpu, here) != 0)
        die("%s: that run was on '%s', and MACHINE is '%s'", resume, cpu != NULL ? cpu : "-", here);
}

int main(int argc, char **argv)
{
    struct model model;
    struct point_list list = {0};
    int first = args_parse(&program, argc, argv);
    if (resume != NULL)
        list.earlier = earlier_resume(resume, &seed);
    args_check();
    noise_parse(&noise, noise_list);
    first += read_machine(&model, argv + first, argc - first);
    if (list.earlier.table != NULL)
        check_machine(&model, list.earlier.table);
    choose_conditions(&model);
    if (!describe)
        return finish(simulate(&model, argv + first, argc - first, &list));
    if (first < argc)
        die_usage("--describe takes no POINTS");
    table_begin(NULL);
    model_write(&model);
    return finish(STATUS_DONE);
}
