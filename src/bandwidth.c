/* bandwidth: measures how fast cores move data, by working set and number of threads.
 *
 * usage: bandwidth [OPTION...]
 * A row of the rates table that is written is a sample: of an op (read, copy, triad, …); with
 * --latency of a load while others stream; with --sharing of counters that share a cache line.
 *
 * example: bandwidth --op read,copy --bytes 4k:1G:x2 | scripts/plot bandwidth >bandwidth.png
 */
#include "args.h"
#include "bar.h"
#include "contention.h"
#include "error.h"
#include "options.h"
#include "random.h"
#include "range.h"
#include "rate.h"
#include "rates.h"
#include "stream.h"
#include "team.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OPS = 16 };

/* A run that is longer than this says so beforehand, even where stderr is no terminal. */
static const double long_run_s = 20;

static struct range sizes, threads, spacings, delays;
static const char *op_names, *kernel_name, *core_kind;
static uint64_t samples = 5, chase_bytes, seed;
static bool allocate_counted, base_pages, latency, sharing;
static double budget = INFINITY;

static const struct flag flags[] = {
    {"op", FLAG_TEXT, &op_names, "LIST", "what to do (read,write,copy,triad)", false},
    {"bytes", FLAG_RANGE, &sizes, "RANGE", "working sets, of all arrays and threads", false},
    {"threads", FLAG_RANGE, &threads, "RANGE", "numbers of threads (1 and all cores)", false},
    {"spacing", FLAG_RANGE, &spacings, "RANGE", "bytes from read to read, or of counters", false},
    {"kernel", FLAG_TEXT, &kernel_name, "NAME", "this kernel, not the fastest", false},
    {"samples", FLAG_COUNT, &samples, "N", "samples of each point (5)", false},
    {"write-allocate", FLAG_YES, &allocate_counted, NULL, "count lines read to be written", false},
    {"base-pages", FLAG_YES, &base_pages, NULL, "no huge pages", false},
    {"latency", FLAG_YES, &latency, NULL, "chase on one core while the others stream", false},
    {"delay", FLAG_RANGE, &delays, "RANGE", "--latency: ns between blocks of 16 KiB", false},
    {"chase", FLAG_SIZE, &chase_bytes, "SIZE", "--latency: bytes to chase through", false},
    {"seed", FLAG_COUNT, &seed, "N", "--latency: seed of the chase (from the clock)", false},
    {"sharing", FLAG_YES, &sharing, NULL, "two threads count, 8 to 256 bytes apart", false},
    {"core-kind", FLAG_TEXT, &core_kind, "NAME", "performance or efficiency cores (any)", false},
    {"budget", FLAG_NUMBER, &budget, "SECONDS", "stop in time", true},
    {0},
};

static const struct program program = {
    .name = "bandwidth",
    .purpose = "measure how fast cores move data",
    .operands = "",
    .example = "bandwidth --op read,copy --bytes 4k:1G:x2 | scripts/plot bandwidth >bandwidth.png",
    .flags = flags,
    .writes_table = true,
    .more_help = stream_print_names,
};

/* ---- what is asked for ---- */

static void check_options(void)
{
    option_check_budget(budget);
    if (latency && sharing)
        die_usage("--latency and --sharing are two runs");
    if (!latency && (delays.count > 0 || chase_bytes > 0 || seed > 0))
        die_usage("--delay, --chase and --seed go with --latency");
    if (sharing && (op_names != NULL || sizes.count > 0 || threads.count > 0 ||
                    kernel_name != NULL || allocate_counted))
        die_usage("--sharing takes --spacing, --samples, --base-pages and --budget");
    if (latency && (sizes.count > 1 || spacings.count > 0 || allocate_counted))
        die_usage("--latency takes one size, and neither --spacing nor --write-allocate");
    for (size_t i = 0; i < spacings.count; i++)
        if (spacings.values[i] % 8 != 0 || spacings.values[i] == 0 ||
            spacings.values[i] > SIZE_MAX / 4)
            die_usage("--spacing %llu: expected a multiple of 8 that memory can have",
                      (unsigned long long)spacings.values[i]);
}

/* The kernel of --kernel, which must have such a loop; NULL: not given. */
static const struct stream_kernel *fixed_kernel(const struct stream_op *op, bool spaced)
{
    const struct stream_kernel *kernel = NULL;
    if (kernel_name != NULL && (kernel = stream_kernel_find(kernel_name)) == NULL)
        die_usage("--kernel '%s': there is none such; --help lists them", kernel_name);
    const char *why = kernel != NULL ? stream_unfit(kernel, op, spaced) : NULL;
    if (why != NULL)
        die_usage("--kernel %s: %s (op %s%s)", kernel_name, why, op->name,
                  spaced ? " with --spacing" : "");
    return kernel;
}

/* Whether any kernel here has such a loop. */
static bool is_possible(const struct stream_op *op, bool spaced)
{
    const struct stream_kernel *kernel;
    for (size_t k = 0; (kernel = stream_kernel(k)) != NULL; k++)
        if (stream_unfit(kernel, op, spaced) == NULL)
            return true;
    return false;
}

/* The ops of --op, or the default ones; their number. */
static size_t chosen_ops(const char *otherwise, const struct stream_op *ops[OPS])
{
    size_t count = 0;
    for (const char *at = op_names != NULL ? op_names : otherwise; at != NULL;) {
        size_t length = strcspn(at, ",");
        const struct stream_op *op = stream_op_find(at, length);
        if (op == NULL || count == OPS)
            die_usage("--op '%.*s': %s", (int)length, at,
                      op == NULL ? "there is none such; --help lists them" : "one too many");
        if (spacings.count > 0 && op->loop != STREAM_READ)
            die_usage("--spacing goes with --op read, not with %s", op->name);
        if (!is_possible(op, spacings.count > 0))
            die_usage("--op %s: no kernel for this processor writes past the caches", op->name);
        ops[count++] = op;
        at = at[length] == ',' ? at + length + 1 : NULL;
    }
    return count;
}

/* Numbers of threads: those asked for, or the default ones; each is `least` at least. */
static void choose_threads(const struct rates *rates, uint64_t least)
{
    if (rates->cores < least)
        die("this takes %llu cores, and this process may use %zu (taskset, a control group?)",
            (unsigned long long)least, rates->cores);
    if (threads.count == 0) {
        threads.values = allocate(2, sizeof *threads.values);
        if (!latency && rates->cores > 1)
            threads.values[threads.count++] = 1;
        threads.values[threads.count++] = rates->cores;
    }
    for (size_t i = 0; i < threads.count; i++)
        if (threads.values[i] < least || threads.values[i] > rates->cores)
            die_usage("--threads %llu: from %llu to the %zu cores that this process may use",
                      (unsigned long long)threads.values[i], (unsigned long long)least,
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

/* A point; its samples are all alike. */
struct entry {
    struct rate rate;
    uint64_t passes; /* of a sample; 0: nothing is known yet */
    double pass_ns;
};

struct entries {
    struct entry *at;
    size_t count;
    uint64_t memory; /* bytes for each thread */
};

/* A size that was asked for must fit; the others are left out where threads have less than 1 KiB of
 * an array. */
static void add_entry(struct entries *entries, struct rate rate, uint64_t asked, bool named)
{
    if (asked > SIZE_MAX / 4)
        die_usage("--bytes %llu: more than can be addressed", (unsigned long long)asked);
    if (!named && (rate.part < 1024 || rate.part < rate.spacing))
        return;
    if (rate.part == 0)
        die_usage("--bytes %llu: less than 64 bytes for each thread (%zu) and array of %s",
                  (unsigned long long)asked, rate.members, rate.op->name);
    if (rate.part < rate.spacing)
        die_usage("--spacing %llu: a thread has but %llu bytes of the %llu",
                  (unsigned long long)rate.spacing, (unsigned long long)rate.part,
                  (unsigned long long)asked);
    rate.kernel = fixed_kernel(rate.op, rate.spacing > 0);
    entries->at = reallocate(entries->at, entries->count + 1, sizeof *entries->at);
    entries->at[entries->count++] = (struct entry){.rate = rate};
    if (rate_memory(&rate) > entries->memory)
        entries->memory = rate_memory(&rate);
}

/* The points of the threads from `first` on, `count` of them. */
static struct entries plan(const struct range *list, bool named, size_t first, size_t count)
{
    static const uint64_t no_spacing[] = {0};
    struct entries entries = {0};
    const struct stream_op *ops[OPS];
    const char *otherwise = latency || spacings.count > 0 ? "read" : "read,write,copy,triad";
    size_t op_count = chosen_ops(otherwise, ops), gaps = spacings.count > 0 ? spacings.count : 1;
    const uint64_t *gap = spacings.count > 0 ? spacings.values : no_spacing;
    for (size_t o = 0; o < op_count; o++)
        for (size_t g = 0; g < gaps; g++)
            for (size_t s = 0; s < list->count; s++)
                add_entry(&entries, rate_of(ops[o], list->values[s], gap[g], first, count),
                          list->values[s], named);
    return entries;
}

/* Seconds for a sample, on many machines, and for choosing its kernel. */
static double estimate_s(const struct entry *entry, double least_ns)
{
    static const double bytes_a_ns = 10;
    double pass = entry->passes > 0 ? entry->pass_ns
                                    : (double)rate_bytes(&entry->rate) / bytes_a_ns;
    return (pass + fmax(pass, least_ns)) / 1e9;
}

static double choosing_s(const struct entry *entry)
{
    return entry->rate.kernel == NULL ? 0.1 : 0;
}

/* The whole pass before warms the caches, unless it is so long that it goes beyond them. */
static double time_sample(const struct rates *rates, struct team *team, struct entry *entry)
{
    static const double long_pass_ns = 100e6;
    double least_ns = rate_least_ns(rates->clock);
    if (entry->rate.kernel == NULL)
        rate_choose(&entry->rate, team);
    if (entry->passes == 0)
        entry->passes = rate_passes(&entry->rate, team, least_ns);
    else if (entry->pass_ns < long_pass_ns)
        rate_time(&entry->rate, team, 1);
    double ns = rate_time(&entry->rate, team, entry->passes);
    for (; ns < least_ns; ns = rate_time(&entry->rate, team, entry->passes))
        entry->passes = (uint64_t)((double)entry->passes * fmin(least_ns / ns * 1.1, 1000)) + 1;
    entry->pass_ns = ns / (double)entry->passes;
    return entry->pass_ns;
}

static void measure(const struct rates *rates, struct team *team, struct entry *entry,
                    uint64_t sample)
{
    const struct rate *rate = &entry->rate;
    uint64_t begin = platform_now_ns();
    double pass_ns = time_sample(rates, team, entry);
    struct rates_row row = {.op = rate->op->name,
                            .kernel = rate->kernel->name,
                            .bytes = rate_bytes(rate),
                            .threads = rate->members,
                            .sample = sample,
                            .spacing = rate->spacing > 0 ? (double)rate->spacing : 8,
                            .delay_ns = NAN,
                            .gb_per_s = rate_moved(rate, allocate_counted) / pass_ns,
                            .ns = NAN,
                            .begin_ns = begin,
                            .took_ns = (double)(platform_now_ns() - begin)};
    rates_put(rates, &row);
}

/* Seconds for what is left when `done` samples are. */
static double left_s(const struct entries *entries, double least_ns, size_t done)
{
    double left = 0;
    for (size_t i = 0; i < entries->count; i++) {
        uint64_t of_it = done / entries->count + (i < done % entries->count);
        left += estimate_s(&entries->at[i], least_ns) * (double)(samples - of_it) +
                choosing_s(&entries->at[i]);
    }
    return left;
}

/* Pass after pass over all points, so that a clock that drifts hits them alike. False when the
 * budget ended. */
static bool measure_all(struct rates *rates, struct team *team, struct entries *entries)
{
    double least_ns = rate_least_ns(rates->clock), left = left_s(entries, least_ns, 0);
    size_t all = entries->count * samples;
    if (left > long_run_s && !args_quiet)
        warn("%zu samples with %zu threads, about %.0f s", all, team_count(team), left);
    for (size_t done = 0; done < all; done++) {
        struct entry *entry = &entries->at[done % entries->count];
        if (!rates_has_time(rates, estimate_s(entry, least_ns) + choosing_s(entry)))
            return false;
        bar_draw(done, all, left_s(entries, least_ns, done));
        measure(rates, team, entry, done / entries->count);
    }
    if (all > 0)
        bar_draw(all, all, 0);
    return true;
}

static bool run_streams(struct rates *rates)
{
    const char *const more[][2] = {
        {"counted", allocate_counted ? "with write-allocate" : "as STREAM does"}, {NULL, NULL}};
    bool complete = true, named = sizes.count > 0;
    choose_threads(rates, 1);
    if (!named)
        sizes.count = rates_default_sizes(rates, &sizes.values);
    for (size_t t = 0; t < threads.count && complete; t++) {
        struct entries entries = plan(&sizes, named, 0, threads.values[t]);
        struct team_options options = {.cpus = rates->cpus,
                                       .count = threads.values[t],
                                       .bytes = entries.memory,
                                       .base_pages = base_pages};
        rates_check_memory(rates, team_needs(&options));
        struct team *team = team_open(&options);
        rates_begin(rates, team, most_threads(), more);
        complete = measure_all(rates, team, &entries);
        team_close(team);
        free(entries.at);
    }
    return complete;
}

/* ---- loaded latency, false sharing ---- */

/* A team for each number of threads, of which the first chases; and for each op. */
static bool load(struct rates *rates, struct victim *victim, uint64_t bytes,
                 const char *const more[][2])
{
    const struct range list = {&bytes, 1};
    bool complete = true;
    for (size_t t = 0; t < threads.count && complete; t++) {
        struct entries entries = plan(&list, true, 1, threads.values[t] - 1);
        struct team_options options = {rates->cpus, threads.values[t], 1, entries.memory,
                                       base_pages};
        rates_check_memory(rates, team_needs(&options));
        struct team *team = team_open(&options);
        rates_begin(rates, team, most_threads(), more);
        for (size_t i = 0; i < entries.count && complete; i++) {
            struct rate *rate = &entries.at[i].rate;
            if (rate->kernel == NULL)
                rate_choose(rate, team);
            complete = loaded_latency(rates, team, victim, rate, &delays);
        }
        team_close(team);
        free(entries.at);
    }
    return complete;
}

static bool run_latency(struct rates *rates)
{
    static uint64_t usual[] = {0, 100, 200, 400, 800, 1600, 3200, 6400, 12800, 25600};
    char text[24];
    const char *const more[][2] = {{"counted", "as STREAM does"}, {"seed", text}, {NULL, NULL}};
    uint64_t line = facts_number(rates->facts, "line_bytes", 64);
    /* Both default sizes and the numbers that link the chain, below half of the memory. */
    uint64_t size = (uint64_t)fmin((double)rates_beyond_caches(rates), rates_memory_half() / 2.2);
    choose_threads(rates, 2);
    if (delays.count == 0)
        delays = (struct range){usual, sizeof usual / sizeof *usual};
    seed = seed > 0 ? seed : random_fresh_seed();
    snprintf(text, sizeof text, "%llu", (unsigned long long)seed);
    chase_bytes = chase_bytes > 0 ? chase_bytes : size;
    rates_check_memory(rates, victim_needs(chase_bytes, line));
    struct victim victim = victim_open(chase_bytes, line, seed, base_pages);
    bool complete = load(rates, &victim, sizes.count > 0 ? sizes.values[0] : size, more);
    victim_close(&victim);
    return complete;
}

static bool run_sharing(struct rates *rates)
{
    static uint64_t usual[] = {8, 16, 32, 64, 128, 256};
    static const char *const more[][2] = {{NULL, NULL}};
    struct team_options options = {.cpus = rates->cpus, .count = 2, .base_pages = base_pages};
    threads = (struct range){.values = (uint64_t[]){2}, .count = 1};
    choose_threads(rates, 2);
    if (spacings.count == 0)
        spacings = (struct range){usual, sizeof usual / sizeof *usual};
    for (size_t i = 0; i < spacings.count; i++)
        options.bytes = spacings.values[i] + 8 > options.bytes ? spacings.values[i] + 8
                                                               : options.bytes;
    rates_check_memory(rates, team_needs(&options));
    struct team *team = team_open(&options);
    rates_begin(rates, team, 2, more);
    bool complete = false_sharing(rates, team, &spacings);
    team_close(team);
    return complete;
}

int main(int argc, char **argv)
{
    struct rates rates;
    args_parse(&program, argc, argv);
    check_options();
    rates_open(&rates, core_kind, samples, budget);
    bool complete = latency   ? run_latency(&rates)
                    : sharing ? run_sharing(&rates)
                              : run_streams(&rates);
    rates_close(&rates);
    if (!complete)
        warn("the budget of %g s ended before all samples were taken", budget);
    return finish(complete ? STATUS_DONE : STATUS_PARTIAL);
}
