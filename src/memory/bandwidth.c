/* bandwidth: measures how fast cores move data, by working set and number of threads.
 *
 * usage: bandwidth [OPTION...]
 * Writes a rates table. Each row is a sample: of an op (read, copy, triad, …); with --latency, of a
 * load while other cores stream; with --sharing, of counters on one cache line.
 *
 * example: bandwidth --op copy --bytes 4k:1G:x2 | tlblab plot bandwidth >copy.png
 */
#include "base/args.h"
#include "base/error.h"
#include "base/number.h"
#include "base/random.h"
#include "measure/binding.h"
#include "memory/streams/contention.h"
#include "memory/streams/streams.h"
#include "table/table.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OPS = 16 };

static struct range sizes, threads, spacings, delays, nodes;
static const char *op_names, *kernel_name;
static struct choice core_kind = CHOICE_OF(core_kinds);
static uint64_t samples = 5, chase_bytes, seed;
static bool base_pages, latency, sharing;
static double budget = INFINITY;

static const struct flag flags[] = {
    {"op", FLAG_TEXT, &op_names, "LIST", "ops to measure (read,write,copy,triad)"},
    {"bytes", FLAG_RANGE, &sizes, "RANGE", "working sets, of all arrays and threads", .max = 1e18},
    {"threads", FLAG_RANGE, &threads, "RANGE", "numbers of threads (1 and all cores)"},
    {"spacing", FLAG_RANGE, &spacings, "RANGE", "bytes from read to read, or of counters", .min = 8,
     .max = 1e18, .multiple = 8},
    {"kernel", FLAG_TEXT, &kernel_name, "NAME", "this kernel, not the fastest"},
    {"samples", FLAG_COUNT, &samples, "N", "samples of each point (5)"},
    {"base-pages", FLAG_YES, &base_pages, NULL, "no huge pages"},
    {"latency", FLAG_YES, &latency, NULL, "chase on one core while the others stream",
     .excludes = "spacing"},
    {"delay", FLAG_RANGE, &delays, "RANGE", "ns between blocks of 16 KiB", .needs = "latency"},
    {"chase", FLAG_SIZE, &chase_bytes, "SIZE", "bytes to chase through", .needs = "latency"},
    {"seed", FLAG_COUNT, &seed, "N", "seed of the chase (from the clock)", .needs = "latency"},
    {"sharing", FLAG_YES, &sharing, NULL, "two counters, 8 to 256 bytes apart",
     .excludes = "latency op bytes threads kernel"},
    {"node", FLAG_RANGE, &nodes, "N", "memory of this node (NUMA) alone"},
    {"core-kind", FLAG_WORD, &core_kind, "NAME", "performance or efficiency cores (any)"},
    {"budget", FLAG_SECONDS, &budget, "SECONDS", "stop after so many seconds"},
    {0},
};

static const struct topic topics[] = {
    {"ops", "Ops, and bytes per element (with write-allocate)", CHOICE_OF(stream_ops),
     stream_print_ops, "loops over arrays, and their bytes per element"},
    {"kernels",
     "Kernels",
     {0},
     stream_print_kernels,
     "vector instructions for them; the fastest of this processor is chosen"},
    {0},
};

static const struct program program = {
    .name = "bandwidth",
    .purpose = "measure how fast cores move data",
    .operands = "",
    .example = "bandwidth --op copy --bytes 4k:1G:x2 | tlblab plot bandwidth >copy.png",
    .flags = flags,
    .writes_table = true,
    .topics = topics,
};

/* ---- options ---- */

/* The kernel of --kernel, which must support the op; NULL without the option. */
static const struct stream_kernel *fixed_kernel(const struct stream_op *op, bool spaced)
{
    const struct stream_kernel *kernel = NULL;
    if (kernel_name != NULL && (kernel = stream_kernel_find(kernel_name)) == NULL)
        die_usage("--kernel '%s': unknown; --help lists the kernels", kernel_name);
    const char *why = kernel != NULL ? stream_unfit(kernel, op, spaced) : NULL;
    if (why != NULL)
        die_usage("--kernel %s: %s (op %s%s)", kernel_name, why, op->name,
                  spaced ? " with --spacing" : "");
    return kernel;
}

/* Fills in the ops of --op, or the defaults; returns their number. */
static size_t chosen_ops(const char *otherwise, const void *ops[OPS])
{
    static const struct choice all = CHOICE_OF(stream_ops);
    size_t count = choice_list(&all, "op", op_names != NULL ? op_names : otherwise, ops, OPS);
    for (size_t i = 0; i < count; i++) {
        const struct stream_op *op = ops[i];
        if (spacings.count > 0 && op->loop != STREAM_READ)
            die_usage("--spacing does not go with --op %s", op->name);
        if (!stream_is_possible(op, spacings.count > 0))
            die_usage("--op %s: no kernel for this processor writes past the caches", op->name);
    }
    return count;
}

/* Sets the thread counts, from --threads or the default; each is at minimum `minimum`. */
static void choose_threads(const struct rates *rates, uint64_t minimum)
{
    if (rates->cores < minimum)
        die("this takes %llu cores, and this process may use %zu (taskset, a control group?)",
            (unsigned long long)minimum, rates->cores);
    if (threads.count == 0) {
        threads.values = allocate(2, sizeof *threads.values);
        if (!latency && rates->cores > 1)
            threads.values[threads.count++] = 1;
        threads.values[threads.count++] = rates->cores;
    }
    for (size_t i = 0; i < threads.count; i++)
        if (threads.values[i] < minimum || threads.values[i] > rates->cores)
            die_usage("--threads %llu: expected %llu to %zu, the cores that this process may use",
                      (unsigned long long)threads.values[i], (unsigned long long)minimum,
                      rates->cores);
}

static uint64_t most_threads(void)
{
    uint64_t most = 0;
    for (size_t i = 0; i < threads.count; i++)
        most = threads.values[i] > most ? threads.values[i] : most;
    return most;
}

/* ---- streams ---- */

/* Adds a point. A size from --bytes (`named`) must be possible; a default size is skipped where it
 * leaves a thread less than 1 KiB of an array. */
static void add_point(struct streams *streams, struct rate rate, uint64_t asked, bool named)
{
    if (!named && (rate.part < 1024 || rate.part < rate.spacing))
        return;
    if (rate.part == 0)
        die_usage("--bytes %llu: less than 64 bytes for each thread (%zu) and array of %s",
                  (unsigned long long)asked, rate.members, rate.op->name);
    if (rate.part < rate.spacing)
        die_usage("--spacing %llu: a thread has only %llu of the %llu bytes",
                  (unsigned long long)rate.spacing, (unsigned long long)rate.part,
                  (unsigned long long)asked);
    rate.kernel = fixed_kernel(rate.op, rate.spacing > 0);
    streams_add(streams, &rate);
}

/* The points for `count` threads, starting with thread `first`. */
static struct streams plan_points(const struct range *list, bool named, size_t first, size_t count)
{
    static const uint64_t no_spacing[] = {0};
    struct streams streams = {0};
    const void *ops[OPS];
    const char *otherwise = latency || spacings.count > 0 ? "read" : "read,write,copy,triad";
    size_t op_count = chosen_ops(otherwise, ops), gaps = spacings.count > 0 ? spacings.count : 1;
    const uint64_t *gap = spacings.count > 0 ? spacings.values : no_spacing;
    for (size_t o = 0; o < op_count; o++)
        for (size_t g = 0; g < gaps; g++)
            for (size_t s = 0; s < list->count; s++)
                add_point(&streams, rate_of(ops[o], list->values[s], gap[g], first, count),
                          list->values[s], named);
    return streams;
}

/* ---- teams ---- */

/* The points for one number of threads, and the options of their team. */
struct team_plan {
    struct streams streams;
    struct team_options options;
};

/* A plan for each thread count, in which the first `without` threads do not stream; freed by
 * free_plans(). An error in any plan ends the program before the first team starts. */
static struct team_plan *plan_teams(struct rates *rates, const struct range *list, bool named,
                                    size_t without)
{
    struct team_plan *plans = allocate(threads.count, sizeof *plans);
    for (size_t t = 0; t < threads.count; t++) {
        size_t count = threads.values[t];
        plans[t].streams = plan_points(list, named, without, count - without);
        plans[t].options = (struct team_options){
            rates->cpus, count, without, plans[t].streams.memory, base_pages, rates->node};
        rates_check_memory(rates, team_needs(&plans[t].options));
    }
    return plans;
}

static void free_plans(struct team_plan *plans)
{
    for (size_t t = 0; t < threads.count; t++)
        free(plans[t].streams.at);
    free(plans);
}

/* Counts the samples and seconds of the whole run, and announces a long one. */
static struct streams_beside announce(const struct rates *rates, const struct team_plan *plans)
{
    struct streams_beside beside = {0};
    for (size_t t = 0; t < threads.count; t++) {
        beside.all += streams_samples(rates, &plans[t].streams);
        beside.later_s += streams_seconds(rates, &plans[t].streams);
    }
    rates_announce(rates, beside.all, beside.later_s, "--op, --bytes, --samples");
    return beside;
}

/* Begins the table; called before memory is taken, which may take long. */
static void begin(const struct rates *rates)
{
    table_begin(NULL);
    rates_put_meta(rates, most_threads());
    table_put_meta("counted", "as STREAM does");
    table_put_meta("huge", "%s", base_pages ? "no" : "asked");
    if (latency)
        table_put_meta("seed", "%llu", (unsigned long long)seed);
    rates_put_header(rates);
    clock_warm_up();
}

static bool run_streams(struct rates *rates)
{
    bool complete = true, named = sizes.count > 0;
    choose_threads(rates, 1);
    if (!named)
        sizes.count = rates_default_sizes(rates, &sizes.values);
    struct team_plan *plans = plan_teams(rates, &sizes, named, 0);
    struct streams_beside beside = announce(rates, plans);
    begin(rates);
    for (size_t t = 0; t < threads.count && complete; t++) {
        struct team *team = team_open(&plans[t].options);
        beside.later_s -= streams_seconds(rates, &plans[t].streams);
        complete = streams_measure(rates, team, &plans[t].streams, &beside);
        beside.before += streams_samples(rates, &plans[t].streams);
        team_close(team);
    }
    free_plans(plans);
    return complete;
}

/* ---- loaded latency, false sharing ---- */

static bool run_latency(struct rates *rates)
{
    static uint64_t usual[] = {0, 100, 200, 400, 800, 1600, 3200, 6400, 12800, 25600};
    uint64_t line = facts_number(rates->facts, "line_bytes", 64);
    /* Together, both default sizes and the numbers that link the chain stay below half of the
     * memory. */
    uint64_t size = (uint64_t)fmin((double)rates_beyond_caches(rates), rates_memory_half() / 2.2);
    if (sizes.count > 1)
        die_usage("--bytes: --latency streams through one working set");
    choose_threads(rates, 2);
    if (delays.count == 0)
        delays = (struct range){usual, sizeof usual / sizeof *usual};
    seed = seed > 0 ? seed : random_fresh_seed();
    chase_bytes = chase_bytes > 0 ? chase_bytes : size;
    if (chase_bytes < line || chase_bytes / line > UINT32_MAX)
        die_usage("--chase %llu: expected 1 to %llu lines of %llu bytes",
                  (unsigned long long)chase_bytes, (unsigned long long)UINT32_MAX,
                  (unsigned long long)line);
    rates_check_memory(rates, victim_needs(chase_bytes, line));
    const struct range list = {sizes.count > 0 ? sizes.values : &size, 1};
    struct team_plan *plans = plan_teams(rates, &list, true, 1);
    begin(rates);
    const struct team_options alone = {.cpus = rates->cpus,
                                       .count = 1,
                                       .bytes = chase_bytes,
                                       .base_pages = base_pages,
                                       .node = rates->node};
    struct victim victim = victim_open(&alone, line, seed);
    bool complete = true;
    for (size_t t = 0; t < threads.count && complete; t++) {
        struct team *team = team_open(&plans[t].options);
        team_reach(team, plans[t].options.bytes);
        complete = loaded_latency(rates, team, &victim, &plans[t].streams, &delays);
        team_close(team);
    }
    team_close(victim.team);
    free_plans(plans);
    return complete;
}

static bool run_sharing(struct rates *rates)
{
    static uint64_t usual[] = {8, 16, 32, 64, 128, 256};
    struct team_options options = {
        .cpus = rates->cpus, .count = 2, .base_pages = base_pages, .node = rates->node};
    threads = (struct range){.values = (uint64_t[]){2}, .count = 1};
    choose_threads(rates, 2);
    if (spacings.count == 0)
        spacings = (struct range){usual, sizeof usual / sizeof *usual};
    for (size_t i = 0; i < spacings.count; i++)
        options.bytes = spacings.values[i] + 8 > options.bytes ? spacings.values[i] + 8
                                                               : options.bytes;
    rates_check_memory(rates, team_needs(&options));
    begin(rates);
    struct team *team = team_open(&options);
    team_reach(team, options.bytes);
    bool complete = false_sharing(rates, team, &spacings);
    team_close(team);
    return complete;
}

int main(int argc, char **argv)
{
    struct rates rates;
    args_parse(&program, argc, argv);
    rates_open(&rates, core_kind.chosen, samples, budget);
    rates.node = node_option(&nodes);
    bool complete = latency   ? run_latency(&rates)
                    : sharing ? run_sharing(&rates)
                              : run_streams(&rates);
    rates_close(&rates);
    free(nodes.values);
    if (!complete)
        warn("the budget of %g s ended before all samples were taken", budget);
    return finish(complete ? STATUS_DONE : STATUS_PARTIAL);
}
