/* rates.c: a run that writes a rates table. */
#include "memory/streams/rates.h"
#include "base/args.h"
#include "base/error.h"
#include "base/progress.h"
#include "machine/outcome.h"
#include "measure/binding.h"
#include "platform.h"
#include "table/table.h"
#include <math.h>
#include <stdlib.h>

/* The cores are listed before pinning: a pinned thread may use only one. */
void rates_open(struct rates *rates, const char *const *kind, uint64_t samples, double budget_s)
{
    char why[PLATFORM_WHY_ROOM];
    if (!platform_can_measure(why))
        die("cannot measure here: %s", why);
    core_restrict(kind);
    size_t capacity = platform_cores(NULL, 0);
    *rates = (struct rates){.cpus = allocate(capacity, sizeof *rates->cpus),
                            .samples = samples,
                            .budget_s = budget_s,
                            .start_ns = platform_now_ns()};
    rates->cores = platform_cores(rates->cpus, capacity);
    rates->cores = rates->cores < capacity ? rates->cores : capacity;
    if (rates->cores == 0)
        die("the system lists no core this process may use");
    platform_pin_to(rates->cpus[0]);
    rates->facts = facts_gather();
    rates->clock = clock_quality();
}

void rates_close(struct rates *rates)
{
    facts_free(rates->facts);
    free(rates->cpus);
}

bool rates_has_time(const struct rates *rates, double next_s)
{
    return (double)(platform_now_ns() - rates->start_ns) / 1e9 + next_s <= rates->budget_s;
}

size_t rates_samples(const struct rates *rates, size_t points)
{
    if (points > 0 && rates->samples > SIZE_MAX / points)
        die_usage("--samples %llu: the samples of %zu points cannot be counted",
                  (unsigned long long)rates->samples, points);
    return points * (size_t)rates->samples;
}

/* ---- samples ---- */

/* A longer run announces how long it takes, even if stderr is not a terminal. */
static const double long_run_s = 20;

void rates_announce(const struct rates *rates, size_t samples, double seconds, const char *options)
{
    seconds = fmin(rates->budget_s, seconds);
    if (seconds > long_run_s && !args_quiet)
        warn_at_once("%zu samples, about %.0f s (shorten it with %s or --budget)", samples, seconds,
                     options);
}

bool rates_sample(const struct rates *rates, size_t points, const char *options, rates_point *put,
                  void *context)
{
    uint64_t begin = platform_now_ns();
    size_t all = rates_samples(rates, points);
    double each_s = 0;
    for (size_t done = 0; done < all; done++) {
        if (!rates_has_time(rates, each_s))
            return false;
        progress_draw(done, all, each_s * (double)(all - done));
        put(context, done / points, done % points);
        each_s = (double)(platform_now_ns() - begin) / 1e9 / (double)(done + 1);
        if (done == 0)
            rates_announce(rates, all, (double)all * each_s, options);
    }
    return true;
}

/* ---- memory ---- */

double rates_memory_half(void)
{
    return 0.5 * (double)platform_memory().available;
}

void rates_check_memory(struct rates *rates, double needed)
{
    struct platform_memory memory = platform_memory();
    double there = (double)memory.available;
    node_check_memory(rates->node, needed);
    if (needed > there)
        die("%.0f MiB are needed, and %.0f MiB are available (%s)", needed / 0x1p20, there / 0x1p20,
            memory.source);
    if (needed > 0.5 * there && !rates->warned) {
        rates->warned = true;
        warn("%.0f MiB of the %.0f MiB that are available (%s): other programs may be pushed out "
             "of memory",
             needed / 0x1p20, there / 0x1p20, memory.source);
    }
}

uint64_t rates_beyond_caches(const struct rates *rates)
{
    uint64_t l2 = facts_number(rates->facts, "l2_bytes", (uint64_t)64 << 20);
    return 4 * facts_number(rates->facts, "l3_bytes", l2);
}

size_t rates_default_sizes(const struct rates *rates, uint64_t **sizes)
{
    struct platform_memory memory = platform_memory();
    uint64_t top = rates_beyond_caches(rates), least = (uint64_t)1 << 30, size = 4096;
    size_t count = 0;
    *sizes = allocate(64, sizeof **sizes);
    top = top > least ? top : least;
    for (; size / 2 < top && (double)size <= rates_memory_half(); size *= 2)
        (*sizes)[count++] = size;
    if (count == 0)
        die("%.1f MiB of memory are available (%s): too little for any size",
            (double)memory.available / 0x1p20, memory.source);
    if (size / 2 < top && !args_quiet)
        warn("sizes from %.0f MiB on are left out: they take more than half of the %.0f MiB that "
             "are available (%s); to measure them, use --bytes",
             (double)size / 0x1p20, (double)memory.available / 0x1p20, memory.source);
    return count;
}

/* ---- the table ---- */

/* Writes the cores, or why one of them cannot be pinned. This thread tries them all, because the
 * team's threads have not started yet. */
static void put_cpus(const struct rates *rates, size_t count)
{
    char text[OUTCOME_ROOM], *list = allocate(count, 12);
    struct platform_outcome pinned = {.verdict = PLATFORM_YES};
    size_t used = 0;
    for (size_t i = 0; i < count && pinned.verdict == PLATFORM_YES; i++) {
        pinned = platform_pin_to(rates->cpus[i]);
        used += (size_t)snprintf(list + used, 12, i > 0 ? ",%d" : "%d", rates->cpus[i]);
    }
    platform_pin_to(rates->cpus[0]);
    table_put_meta("pinned_cpu", "%s",
                   pinned.verdict == PLATFORM_YES ? list : outcome_text(pinned, text));
    free(list);
}

static unsigned options(const struct rates *rates)
{
    return isnan(facts_peak_gb_per_s(rates->facts)) ? 0 : (unsigned)RATE_PEAK;
}

/* The peak itself is among the facts. */
static void put_peak(const struct rates *rates)
{
    static const char key[] = "memory_peak_gb_per_s";
    const char *why = facts_why_unknown(rates->facts, key);
    if (why != NULL)
        table_put_meta(key, "unknown (%s)", why);
}

void rates_put_meta(const struct rates *rates, size_t threads)
{
    char why[PLATFORM_WHY_ROOM] = "";
    const char *busy = platform_sibling_busy(rates->cpus[0], why);
    facts_put_meta(rates->facts);
    put_cpus(rates, threads);
    table_put_meta("core_kind", "%s", platform_core_kind(rates->cpus[0]));
    node_put_meta(rates->node, rates->cpus[0]);
    table_put_meta("sibling_busy", *why ? "%s (%s)" : "%s", busy, why);
    table_put_meta("timer_ns", "%.1f", rates->clock.resolution_ns);
    table_put_meta("timer_overhead_ns", "%.1f", rates->clock.overhead_ns);
}

void rates_put_header(const struct rates *rates)
{
    put_peak(rates);
    table_put_columns(rate_columns, options(rates));
}

double rates_time(const struct rates *rates, uint64_t begin_ns)
{
    return (double)(begin_ns - rates->start_ns) / 1e9;
}

void rates_put(const struct rates *rates, const struct rate_row *row)
{
    struct rate_row shared = *row;
    shared.peak_percent = 100 * row->gb_per_s / facts_peak_gb_per_s(rates->facts);
    table_put_row(rate_columns, options(rates), &shared);
    flush_output();
}
