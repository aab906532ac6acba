/* throughput.c: the report's section on rates.
 *
 * Swap is slower than memory by a factor of ten or more. Cache boundaries are steps too, but no
 * cache holds a large part of memory. */
#include "base/error.h"
#include "base/number.h"
#include "base/stats.h"
#include "report/prose/prose.h"
#include "report/prose/sections.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Swap: the rate drops by at least this factor from one size to the next and stays down. Memory and
 * the last cache differ by less. [prior] */
static const double cliff_min = 4;

/* The size after the cliff is at least this fraction of memory; if memory size is unknown, at least
 * this many times the last claimed cache and this many bytes. [prior] */
static const double memory_part = 0.25, caches_min = 4, bytes_min = 0x1p28;

/* The rates of one op, thread count and spacing. */
struct stream {
    const struct rate_row *like;
    struct speed {
        double bytes, gb_per_s; /* the median of its samples */
    } * at;
    size_t count;
    size_t good; /* sizes before the cliff; all if there is none */
};

/* ---- from rows to streams ---- */

static int compare(double a, double b)
{
    if (isnan(a) || isnan(b))
        return isnan(b) - isnan(a);
    return (a > b) - (a < b);
}

/* Between a card and the processor (gpu). */
static bool is_transfer(const struct rate_row *rate)
{
    return strstr(rate->op, "_device") != NULL;
}

/* Read comes first: the others are compared with it. */
static int compare_streams(const struct rate_row *a, const struct rate_row *b)
{
    int order = (strcmp(b->op, "read") == 0) - (strcmp(a->op, "read") == 0);
    order = order != 0 ? order : strcmp(a->op, b->op);
    order = order != 0 ? order : compare(a->threads, b->threads);
    return order != 0 ? order : compare(a->spacing, b->spacing);
}

static int compare_rates(const void *a, const void *b)
{
    const struct rate_row *x = a, *y = b;
    int order = compare_streams(x, y);
    return order != 0 ? order : compare(x->bytes, y->bytes);
}

/* A plain rate, not one alongside a chase (loaded latency). */
static bool is_stream(const struct rate_row *rate)
{
    return !isnan(rate->gb_per_s) && !isnan(rate->bytes) && isnan(rate->delay_ns);
}

static double median_of(const struct rate_row *rates, size_t count)
{
    double *values = allocate(count, sizeof *values);
    for (size_t i = 0; i < count; i++)
        values[i] = rates[i].gb_per_s;
    double median = stats_median(values, count);
    free(values);
    return median;
}

/* The stream that begins with the first of these sorted rows. */
static struct stream stream_of(const struct rate_row *rates, size_t count)
{
    struct stream stream = {.like = rates, .at = allocate(count, sizeof *stream.at)};
    size_t last;
    for (size_t i = 0; i < count && compare_streams(rates, &rates[i]) == 0; i = last) {
        for (last = i; last < count && compare_rates(&rates[i], &rates[last]) == 0;)
            last++;
        stream.at[stream.count++] = (struct speed){rates[i].bytes, median_of(&rates[i], last - i)};
    }
    stream.good = stream.count;
    return stream;
}

/* ---- the cliff ---- */

static double meta_bytes(const struct run_tables *run, const char *key)
{
    return (double)size_or(table_meta(run->table, -1, key), 0);
}

static double last_cache(const struct run_tables *run)
{
    return fmax(meta_bytes(run, "l2_bytes"), meta_bytes(run, "l3_bytes"));
}

static double least_behind_cliff(const struct run_tables *run)
{
    double memory = meta_bytes(run, "memory_limit_bytes");
    return memory > 0 ? memory_part * memory : fmax(bytes_min, caches_min * last_cache(run));
}

static void find_cliff(const struct run_tables *run, struct stream *s)
{
    double least = least_behind_cliff(run), most = 0; /* highest rate after the cliff */
    for (size_t i = s->count; i-- > 1;) {
        most = fmax(most, s->at[i].gb_per_s);
        if (s->at[i].bytes >= least && s->at[i - 1].gb_per_s >= cliff_min * most)
            s->good = i;
    }
}

/* ---- lines ---- */

/* The rate at a size before the cliff; NaN: not measured. */
static double rate_at(const struct stream *s, double bytes)
{
    for (size_t i = 0; i < s->good; i++)
        if (s->at[i].bytes == bytes)
            return s->at[i].gb_per_s;
    return NAN;
}

/* The rate of memory, beyond the caches, relative to its theoretical peak. */
static void say_share(const struct run_tables *run, const struct speed *last)
{
    double peak = run_tables_number(run, "memory_peak_gb_per_s"),
           percent = 100 * last->gb_per_s / peak;
    if (isnan(peak) || last->bytes < caches_min * last_cache(run))
        return;
    prose_say("",
              percent <= 100 ? "%.3g %% of the memory's theoretical peak"
                             : "%.3g %% of the memory's theoretical peak: a cache's rate, or a "
                               "wrong claim",
              percent);
}

static void say_stream(const struct run_tables *run, const struct stream *s,
                       const struct stream *read)
{
    char label[64], size[PROSE_ROOM], share[48] = "";
    const struct speed *best = s->at, *last = &s->at[s->good - 1];
    for (size_t i = 0; i < s->good; i++)
        best = s->at[i].gb_per_s > best->gb_per_s ? &s->at[i] : best;
    snprintf(label, sizeof label, isnan(s->like->threads) ? "%s" : "%s x %.0f", s->like->op,
             s->like->threads);
    prose_say(label, "up to %.4g GB/s (%s)", best->gb_per_s, size_text(best->bytes, 4, size));
    if (read != NULL && read != s && !isnan(rate_at(read, last->bytes)))
        snprintf(share, sizeof share, ", %.2f of read",
                 last->gb_per_s / rate_at(read, last->bytes));
    if (s->count > 1)
        prose_say("", "%.4g GB/s at %s%s", last->gb_per_s, size_text(last->bytes, 4, size), share);
    if (!is_transfer(s->like))
        say_share(run, last);
    if (s->good < s->count)
        prose_say("", "beyond %s the rate falls %.3g-fold, to %.3g GB/s: likely swap, not memory",
                  size_text(last->bytes, 4, size), last->gb_per_s / s->at[s->good].gb_per_s,
                  s->at[s->good].gb_per_s);
}

/* The stream of op read with the same threads and spacing; NULL: none, or a transfer. */
static const struct stream *read_like(const struct stream *streams, size_t count,
                                      const struct stream *s)
{
    for (size_t i = 0; i < count && !is_transfer(s->like); i++)
        if (strcmp(streams[i].like->op, "read") == 0 &&
            compare(streams[i].like->threads, s->like->threads) == 0 &&
            compare(streams[i].like->spacing, s->like->spacing) == 0)
            return &streams[i];
    return NULL;
}

/* Ops whose result is a time: loaded latency, false sharing. */
static void say_times(const struct run_tables *run)
{
    for (size_t i = 0, last; i < run->rates.count; i = last) {
        const struct rate_row *rate = &run->rates.at[i];
        double least = INFINITY, most = 0;
        for (last = i; last < run->rates.count && strcmp(run->rates.at[last].op, rate->op) == 0;
             last++)
            if (!isnan(run->rates.at[last].ns)) {
                least = fmin(least, run->rates.at[last].ns);
                most = fmax(most, run->rates.at[last].ns);
            }
        if (most > 0)
            prose_say(rate->op, "%.4g to %.4g ns, depending on the other threads", least, most);
    }
}

static void say_memory(const struct run_tables *run)
{
    char size[PROSE_ROOM];
    const char *peak = table_meta(run->table, -1, "memory_peak_gb_per_s");
    if (meta_bytes(run, "memory_limit_bytes") > 0)
        prose_say(table_meta(run->table, -1, "device_type") != NULL ? "Largest buffer" : "Memory",
                  "%s", size_text(meta_bytes(run, "memory_limit_bytes"), 4, size));
    if (peak != NULL)
        prose_say("Theoretical peak",
                  isnan(run_tables_number(run, "memory_peak_gb_per_s")) ? "%s" : "%s GB/s", peak);
}

void report_throughput(struct run_tables *run)
{
    struct stream *streams = allocate(run->rates.count, sizeof *streams);
    size_t count = 0, used = 0;
    if (run->rates.count > 0)
        qsort(run->rates.at, run->rates.count, sizeof *run->rates.at, compare_rates);
    struct rate_row *rates = allocate(run->rates.count, sizeof *rates);
    for (size_t i = 0; i < run->rates.count; i++)
        if (is_stream(&run->rates.at[i]))
            rates[used++] = run->rates.at[i];
    for (size_t i = 0; i < used; i++)
        if (i == 0 || compare_streams(&rates[i - 1], &rates[i]) != 0)
            streams[count++] = stream_of(&rates[i], used - i);
    if (run->rates.count > 0) {
        puts("\n[Bandwidth]");
        say_memory(run);
    }
    for (size_t i = 0; i < count; i++)
        find_cliff(run, &streams[i]);
    for (size_t i = 0; i < count; i++)
        say_stream(run, &streams[i], read_like(streams, count, &streams[i]));
    say_times(run);
    for (size_t i = 0; i < count; i++)
        free(streams[i].at);
    free(rates);
    free(streams);
}
