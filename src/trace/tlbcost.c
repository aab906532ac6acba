/* tlbcost: says how much of a command's time address translation takes, by running it on base pages
 * and on huge pages.
 *
 * usage: tlbcost [OPTION...] -- COMMAND [ARGUMENT...]
 *        tlbcost --watch [OPTION...]
 * Runs it in pairs, in random order within each, and compares the times. Writes a row for each run,
 * and the comparison in the last rows. --watch needs no command: it writes what a translation costs
 * on this host, once a minute.
 *
 * example: tlbcost --runs 10 -- ./prog input
 */
#include "base/args.h"
#include "base/beside.h"
#include "base/error.h"
#include "base/progress.h"
#include "base/random.h"
#include "base/stats.h"
#include "platform.h"
#include "table/table.h"
#include "trace/format/trace.h"
#include "trace/saving/cost_row.h"
#include "trace/saving/counters.h"
#include "trace/saving/huge_objects.h"
#include "trace/saving/saving.h"
#include "trace/saving/watch.h"
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static uint64_t runs, seed;
static double confidence = 99, min_effect = 1;
static bool silent, watches;
static double period_s = 60, per_hour_s = 1;
static const char *objects, *misses_event, *cycles_event, *trace_file, *boundaries_file;
static struct counters counters;
static double trace_misses = NAN; /* of --trace */

static const struct flag flags[] = {
    {"runs", FLAG_COUNT, &runs, "N",
     "pairs of runs (default: 12 to 48, until they decide), or periods", .max = 1000},
    {"confidence", FLAG_NUMBER, &confidence, "PERCENT", "of the interval (default 99)", .min = 50,
     .max = 99.9999},
    {"min-effect", FLAG_NUMBER, &min_effect, "PERCENT",
     "the smallest difference that matters (default 1)", .max = 1e9},
    {"huge", FLAG_TEXT, &objects, "OBJECTS",
     "only these objects are on huge pages, as for misses(1)"},
    {"misses-event", FLAG_TEXT, &misses_event, "EVENTS",
     "count these as dTLB misses (libpfm's names)"},
    {"cycles-event", FLAG_TEXT, &cycles_event, "EVENTS", "count these as cycles of page walks"},
    {"trace", FLAG_TEXT, &trace_file, "TRACE", "compare the misses counted with those of a trace"},
    {"boundaries", FLAG_TEXT, &boundaries_file, "FILE",
     "of 'sweep --page-size 2M | detect': whether the hypervisor splinters huge pages"},
    {"silent", FLAG_YES, &silent, NULL, "the command's output goes nowhere, not to stderr"},
    {"watch", FLAG_YES, &watches, NULL,
     "instead: measure over and over what a translation costs here", .excludes = "COMMAND"},
    {"period", FLAG_NUMBER, &period_s, "SECONDS", "from one time to the next (default 60)",
     .needs = "watch", .min = 0.001, .max = 86400},
    {"per-hour", FLAG_NUMBER, &per_hour_s, "SECONDS",
     "processor time that it may use in an hour (default 1)", .needs = "watch", .min = 1e-6,
     .max = 3600},
    {"seed", FLAG_COUNT, &seed, "N", "seed of the order within pairs"},
    {0}};

static const struct program program = {
    .name = "tlbcost",
    .purpose = "say how much of a command's time address translation takes",
    .operands = "-- COMMAND [ARGUMENT...]",
    .example = "tlbcost --runs 10 -- ./prog input",
    .flags = flags,
    .writes_table = true,
};

/* The library to preload: for all of the command's memory, or for some objects. */
static const char *const for_all[] = {"/../../lib/tlblab/huge.so", "/.obj/plain/runtime/huge.so",
                                      "/../runtime/huge.so", NULL};
static const char *const for_objects[] = {"/../../lib/tlblab/objects.so",
                                          "/.obj/plain/runtime/objects.so",
                                          "/../runtime/objects.so", NULL};

static double time_by(enum cost_clock clock, const struct platform_usage *usage)
{
    return clock == COST_WALL ? usage->wall_s : usage->user_s;
}

/* Without --runs the pairs are doubled until they decide, up to this many. [prior] */
static uint64_t pairs_first = 12, pairs_most = 48;
static double confidence_each;

/* ---- runs ---- */

static struct platform_usage run(char *const *command, const char *library, enum cost_pages pages,
                                 bool ask)
{
    struct platform_usage usage;
    char why[PLATFORM_WHY_ROOM];
    enum platform_pages asked = pages == COST_BASE ? PLATFORM_BASE
                                : objects != NULL  ? PLATFORM_ADVISED
                                                   : PLATFORM_HUGE;
    if (!platform_run(command, library, asked, ask, silent, &counters.watch, &usage, why))
        die("%s", why);
    if (usage.status != 0)
        die("%s: ended with status %d on pages of %s: only a command that succeeds can be compared",
            command[0], usage.status, cost_page_names[pages]);
    return usage;
}

/* Finds the objects of --huge by a run on base pages, in which the library lists the memory that
 * the command allocates, and passes them on to later runs. */
static void find_objects(char *const *command, const char *library)
{
    char named[64], *text = NULL, *known;
    size_t length = 0, got = 1;
    struct stat is;
    FILE *list = tmpfile();
    if (list == NULL || fstat(fileno(list), &is) != 0)
        die("cannot create a temporary file: %s", strerror(errno));
    snprintf(named, sizeof named, "%d %ju %ju", fileno(list), (uintmax_t)is.st_dev,
             (uintmax_t)is.st_ino); /* src/trace/runtime/answer.h */
    setenv("TLBLAB_HUGE_LIST", named, 1);
    run(command, library, COST_BASE, false);
    unsetenv("TLBLAB_HUGE_LIST");
    rewind(list);
    for (; got > 0; length += got) {
        text = reallocate(text, length + 4097, 1);
        got = fread(text + length, 1, 4096, list);
    }
    text[length] = '\0';
    fclose(list);
    char *lines = huge_objects(text, objects, &known);
    if (lines == NULL)
        die("--huge: the command has no variable '%s', and takes no block of 2 MiB there%s%s",
            objects, known != NULL ? "; it takes these:\n" : "", known != NULL ? known : "");
    setenv("TLBLAB_HUGE_OBJECTS", lines, 1);
    free(lines);
    free(known);
    free(text);
}

static void put_run(enum cost_pages pages, uint64_t number, const struct platform_usage *usage)
{
    struct cost_row row;
    row_clear(cost_columns, &row);
    row.pages = (int)pages;
    row.run = number;
    row.seconds = usage->wall_s;
    row.user_s = usage->user_s;
    row.system_s = usage->system_s;
    row.dtlb_misses = counters_count(&counters, COUNTER_MISSES, usage);
    row.walk_cycles = counters_count(&counters, COUNTER_WALK_CYCLES, usage);
    table_put_row(cost_columns, 0, &row);
    flush_output();
}

/* The runs of pair i are usage[i][COST_BASE] and usage[i][COST_HUGE], in whatever order they were
 * made. */
static void run_pairs(char *const *command, const char *library, struct random *random,
                      uint64_t from, uint64_t end, struct platform_usage (*usage)[COST_PAGES])
{
    uint64_t begin = platform_now_ns();
    for (uint64_t i = from; i < end; i++) {
        enum cost_pages first = random_below(random, 2) ? COST_HUGE : COST_BASE;
        for (int k = 0; k < COST_PAGES; k++) {
            enum cost_pages pages = k == 0 ? first : first == COST_HUGE ? COST_BASE : COST_HUGE;
            usage[i][pages] = run(command, library, pages, false);
            put_run(pages, i + 1, &usage[i][pages]);
        }
        double passed = (double)(platform_now_ns() - begin) / 1e9;
        double left = passed / (double)(i + 1 - from) * (double)(end - i - 1);
        bool last = pairs_first == pairs_most; /* no more pairs follow */
        progress_draw(i + 1, last ? end : 0, last ? left : NAN);
    }
}

/* ---- comparison ---- */

static struct saving compare(struct platform_usage (*usage)[COST_PAGES], uint64_t pairs,
                             enum cost_clock clock)
{
    double *base = allocate(pairs, sizeof *base), *huge = allocate(pairs, sizeof *huge);
    for (uint64_t i = 0; i < pairs; i++) {
        base[i] = time_by(clock, &usage[i][COST_BASE]);
        huge[i] = time_by(clock, &usage[i][COST_HUGE]);
    }
    struct saving saving = saving_of_pairs(base, huge, pairs, confidence_each);
    free(base);
    free(huge);
    return saving;
}

/* Makes pairs until they decide; returns how many. */
static uint64_t run_until_decided(char *const *command, const char *library, const char *backing,
                                  struct platform_usage (*usage)[COST_PAGES])
{
    struct random random;
    uint64_t done = 0, end = pairs_first;
    random_seed(&random, seed, 0);
    for (;; end = saving_pairs_next(done, pairs_most)) {
        run_pairs(command, library, &random, done, end, usage);
        done = end;
        struct saving wall = compare(usage, done, COST_WALL);
        if (done >= pairs_most || backing_is_alike(backing) || saving_is_decided(&wall, min_effect))
            return done;
        if (!args_quiet)
            warn("%ju pairs leave %.1f to %.1f %% of its time: more follow", (uintmax_t)done,
                 wall.low, wall.high);
    }
}

/* The median count of the runs on some pages, of those where it is known; else NAN. */
static double typical_count(struct platform_usage (*usage)[COST_PAGES], uint64_t pairs,
                            enum cost_pages pages, enum counter which)
{
    double *counts = allocate(pairs, sizeof *counts), typical = NAN;
    size_t n = 0;
    for (uint64_t i = 0; i < pairs; i++) {
        double count = counters_count(&counters, which, &usage[i][pages]);
        if (!isnan(count))
            counts[n++] = count;
    }
    if (n > 0)
        typical = stats_median(counts, n);
    free(counts);
    return typical;
}

static void put_saving(enum cost_clock clock, const struct saving *saving, bool shown,
                       const char *backing, double error)
{
    struct cost_row row;
    row_clear(cost_columns, &row);
    row.clock = (int)clock;
    row.saving_percent = saving->percent;
    row.low_percent = saving->low;
    row.high_percent = saving->high;
    row.verdict = shown ? "shown" : "not_shown";
    row.backing = backing;
    row.relative_error = error;
    table_put_row(cost_columns, 0, &row);
}

/* ---- remarks ---- */

static void say_counters(double base, double huge, double error)
{
    struct platform_outcome perf = platform_perf();
    if (!isnan(base))
        warn("the processor counted %.4g dTLB misses on base pages and %.4g on huge ones (%s)",
             base, huge, counters.events[COUNTER_MISSES]);
    else if (perf.verdict != PLATFORM_YES)
        warn("there are no hardware counters to compare with (%s); the times decide", perf.why);
    else
        warn("no event of this processor is known that counts dTLB misses (--misses-event); the "
             "times decide");
    if (!isnan(error))
        warn("the trace has %.4g misses: a relative error of %.1f %%", trace_misses, 100 * error);
}

static void say_backing(const char *backing, const struct platform_usage *usage)
{
    if (strcmp(backing, "base") == 0 || strcmp(backing, "partly") == 0)
        warn("only %.0f of %.0f MiB were on huge pages: the saving may be larger with all of them "
             "(is /sys/kernel/mm/transparent_hugepage/enabled 'never', or is memory fragmented?)",
             (double)usage->huge_bytes / (1 << 20), (double)usage->rss / (1 << 20));
    else if (strcmp(backing, "unknown") == 0)
        warn("whether its memory was on huge pages is not known: it had most of it for too short a "
             "time to be seen");
}

static void say_splintered(const char *known)
{
    if (strcmp(known, "yes") == 0)
        warn("the hypervisor backs huge pages with small ones: they save a table of each walk, but "
             "a TLB entry reaches no further");
    else if (strcmp(known, "unknown") == 0)
        warn("whether the hypervisor backs huge pages with small ones is not known "
             "('sweep --page-size 2M | detect' shows it: --boundaries)");
}

/* One line of advice. */
static void say_advice(const char *backing, const struct saving *saving, const bool *shown)
{
    const struct saving *wall = &saving[COST_WALL], *user = &saving[COST_USER];
    const char *how = "GLIBC_TUNABLES=glibc.malloc.hugetlb=1, or madvise(MADV_HUGEPAGE) for the "
                      "object that 'misses --by object' names";
    if (backing_is_alike(backing))
        warn("no difference is shown: too little of its memory was on huge pages for translation "
             "to differ");
    else if (shown[COST_WALL] && wall->percent > 0)
        warn("huge pages save %.1f %% of its time (%.1f to %.1f): %s", wall->percent, wall->low,
             wall->high, how);
    else if (shown[COST_WALL])
        warn("huge pages make it slower by %.1f %% (%.1f to %.1f): leave it as it is",
             -wall->percent, -wall->high, -wall->low);
    else if (shown[COST_USER])
        warn("huge pages change its own processor time by %.1f %% (%.1f to %.1f), but no "
             "difference in the time of the whole is shown: %s",
             -user->percent, -user->high, -user->low, how);
    else
        warn("no difference is shown: with %.0f %% confidence huge pages change its time by "
             "%.1f to %.1f %%",
             confidence, -wall->high, -wall->low);
}

/* ---- counts ---- */

/* The misses of a trace; its accesses that hit are not in it. */
static double count_trace(const char *file)
{
    struct trace *trace = trace_open(file);
    const char *record = trace_meta(trace, "record");
    const struct record *r;
    double count = 0;
    if (record == NULL || strcmp(record, "misses") != 0)
        die("%s: the trace has accesses, not misses: tlbsim --machine MACHINE %s", file, file);
    while ((r = trace_next(trace)) != NULL)
        count += record_is_access(r);
    if (trace_partial(trace) != STATUS_DONE)
        die("%s: the trace is cut: its misses are not all there", file);
    trace_close(trace);
    return count;
}

static void find_counters(void)
{
    const char *const wanted[COUNTERS] = {misses_event, cycles_event};
    const char *missing = counters_find(&counters, wanted, platform_event_named);
    if (missing != NULL)
        die("%s: this processor has no such event for libpfm, or there are more than %d", missing,
            PLATFORM_WATCHED);
    if (trace_file != NULL)
        trace_misses = count_trace(trace_file);
}

static void choose_pairs(void)
{
    if (runs > 0)
        pairs_first = pairs_most = runs;
    confidence_each = saving_confidence_each(confidence / 100, pairs_first, pairs_most);
    if (pairs_first < signed_rank_min(confidence_each))
        die_usage("--runs: %.4g %% confidence takes %zu pairs at least", confidence,
                  signed_rank_min(confidence / 100));
}

static int watch(void)
{
    struct watch_options options = {period_s, per_hour_s / 3600, runs};
    table_begin(NULL);
    table_put_meta("seed", "%llu", (unsigned long long)seed);
    table_put_meta("page_bytes", "%llu", (unsigned long long)platform_page_bytes());
    table_put_columns(watch_columns, 0);
    watch_here(&options, seed);
    return finish(STATUS_DONE);
}

static void write_head(const char *known)
{
    const char *const wanted[COUNTERS] = {misses_event, cycles_event};
    bool can_count = platform_perf().verdict == PLATFORM_YES;
    table_begin(NULL);
    table_put_meta("seed", "%llu", (unsigned long long)seed);
    table_put_meta("splintered", "%s", known);
    if (objects != NULL)
        table_put_meta("huge", "%s", objects);
    for (int k = 0; k < COUNTERS; k++)
        if (counters.events[k] != NULL && (wanted[k] != NULL || can_count))
            table_put_meta(counter_names[k], "%s", counters.events[k]);
    table_put_columns(cost_columns, 0);
}

int main(int argc, char **argv)
{
    struct saving saving[COST_CLOCKS];
    bool shown[COST_CLOCKS];
    int first = args_parse(&program, argc, argv);
    if (seed == 0)
        seed = random_fresh_seed();
    if (watches)
        return watch();
    if (first == argc)
        die_usage("which command?");
    choose_pairs();
    struct platform_usage(*usage)[COST_PAGES] = allocate(pairs_most, sizeof *usage);
    const char *library = beside_find(objects != NULL ? for_objects : for_all);
    const char *known = backing_splintered(boundaries_file);
    find_counters();
    if (objects != NULL)
        find_objects(argv + first, library);
    write_head(known);
    run(argv + first, library, COST_BASE, false); /* fills caches of files, and does not count */
    struct platform_usage asked = run(argv + first, library, COST_HUGE, true);
    const char *backing = backing_of(&asked, objects == NULL);
    uint64_t pairs = run_until_decided(argv + first, library, backing, usage);
    double base = typical_count(usage, pairs, COST_BASE, COUNTER_MISSES);
    double error = base > 0 ? 1 - trace_misses / base : NAN; /* RE of the PTAT paper */
    for (enum cost_clock k = 0; k < COST_CLOCKS; k++) {
        saving[k] = compare(usage, pairs, k);
        shown[k] = !backing_is_alike(backing) && saving_is_shown(&saving[k], min_effect);
        put_saving(k, &saving[k], shown[k], backing, error);
    }
    if (!args_quiet) {
        say_counters(base, typical_count(usage, pairs, COST_HUGE, COUNTER_MISSES), error);
        say_splintered(known);
        say_backing(backing, &asked);
        say_advice(backing, saving, shown);
    }
    free(usage);
    return finish(shown[COST_WALL] || shown[COST_USER] ? STATUS_DONE : STATUS_PARTIAL);
}
