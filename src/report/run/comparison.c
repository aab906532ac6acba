/* comparison.c: the numbers of two runs, and whether they differ. */
#include "report/run/comparison.h"
#include "base/error.h"
#include "base/stats.h"
#include "tlb/detect/boundary.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const comparison_kind_names[] = {"level", "ways",  "sets",  "penalty", "latency",
                                                    "rate",  "curve", "point", NULL};
static const char *const verdict_names[] = {"same", "differs", "cannot_tell", NULL};

#define MEMBER(name) offsetof(struct comparison, name)
const struct column comparison_columns[] = {
    COLUMN(WORD, "kind", MEMBER(kind), COLUMN_LIST(comparison_kind_names)),
    COLUMN(WORD, "structure", MEMBER(structure), COLUMN_LIST(structure_names)),
    COLUMN(LEVEL, "level", MEMBER(level)),
    COLUMN(TEXT, "method", MEMBER(method), .view = COLUMN_SPARE),
    COLUMN(NAMED, "kernel", MEMBER(kernel), COLUMN_LIST(kernels), .view = COLUMN_SPARE),
    COLUMN(NAMED, "layout", MEMBER(layout), COLUMN_LIST(layouts)),
    COLUMN(COUNT, "spacing_bytes", MEMBER(spacing), .view = COLUMN_HIDDEN),
    COLUMN(COUNT, "page_bytes", MEMBER(page_bytes), .view = COLUMN_HIDDEN),
    COLUMN(NAMED, "backing", MEMBER(backing), COLUMN_LIST(backings), .view = COLUMN_HIDDEN),
    COLUMN(COUNT, "chains", MEMBER(chains), .view = COLUMN_HIDDEN),
    COLUMN(COUNT, "pages", MEMBER(pages)),
    COLUMN(NUMBER, "a", MEMBER(a), .per_unit = 1000),
    COLUMN(NUMBER, "b", MEMBER(b), .per_unit = 1000),
    COLUMN(NUMBER, "a_min", MEMBER(a_min), .per_unit = 1000, .view = COLUMN_HIDDEN),
    COLUMN(NUMBER, "a_max", MEMBER(a_max), .per_unit = 1000, .view = COLUMN_HIDDEN),
    COLUMN(NUMBER, "b_min", MEMBER(b_min), .per_unit = 1000, .view = COLUMN_HIDDEN),
    COLUMN(NUMBER, "b_max", MEMBER(b_max), .per_unit = 1000, .view = COLUMN_HIDDEN),
    COLUMN(NUMBER, "ratio", MEMBER(ratio), .per_unit = 1e4),
    COLUMN(NUMBER, "low", MEMBER(low), .per_unit = 1e4, .view = COLUMN_IF_ROOM),
    COLUMN(NUMBER, "high", MEMBER(high), .per_unit = 1e4, .view = COLUMN_IF_ROOM),
    COLUMN(WORD, "verdict", MEMBER(verdict), COLUMN_LIST(verdict_names)),
    COLUMN(TEXT, "what", MEMBER(what), .option = COMPARISON_COSTS),
    COLUMN(NUMBER, "bytes", MEMBER(bytes), .option = COMPARISON_COSTS, .view = COLUMN_IF_ROOM),
    COLUMN(NUMBER, "threads", MEMBER(threads), .option = COMPARISON_COSTS, .view = COLUMN_IF_ROOM),
    COLUMN(NUMBER, "delay_ns", MEMBER(delay_ns), .option = COMPARISON_COSTS, .view = COLUMN_SPARE),
    {0},
};

/* A quotient as the table has it. */
static double known(double value)
{
    return isfinite(value) && value > 0 ? value : NAN;
}

static bool holds(const struct interval *range, double value)
{
    return value >= range->low && value <= range->high;
}

void comparison_of_ranges(struct comparison *row, const struct interval *a,
                          const struct interval *b, double least)
{
    static const struct interval unknown = {NAN, 0, INFINITY};
    a = a != NULL ? a : &unknown;
    b = b != NULL ? b : &unknown;
    row->a = a->value;
    row->b = b->value;
    row->a_min = known(a->low);
    row->a_max = known(a->high);
    row->b_min = known(b->low);
    row->b_max = known(b->high);
    row->ratio = known(b->value / a->value);
    row->low = known(b->low / a->high);
    row->high = known(b->high / a->low);
    double distance = fabs(log(row->ratio)), margin = log1p(least);
    bool apart = a->high < b->low || b->high < a->low;
    bool near = distance < margin || (holds(a, b->value) && holds(b, a->value));
    row->verdict = near ? VERDICT_SAME : apart ? VERDICT_DIFFERS : VERDICT_CANNOT_TELL;
}

void comparison_of_times(struct comparison *row, const double *a, const double *b, size_t n,
                         double confidence, double least)
{
    double *quotients = allocate(n, sizeof *quotients);
    size_t count = 0;
    for (size_t i = 0; i < n; i++)
        if (a[i] > 0 && b[i] > 0)
            quotients[count++] = log(b[i] / a[i]);
    struct signed_rank r = signed_rank(quotients, count, confidence);
    double margin = log1p(least);
    free(quotients);
    row->ratio = exp(r.estimate);
    row->low = known(exp(r.low));
    row->high = known(exp(r.high));
    row->verdict = (r.low > 0 || r.high < 0) && fabs(r.estimate) >= margin ? VERDICT_DIFFERS
                   : r.low > -margin && r.high < margin                    ? VERDICT_SAME
                                                                           : VERDICT_CANNOT_TELL;
}

/* ---- the numbers of a run ---- */

static bool same_text(const char *a, const char *b)
{
    return strcmp(a == NULL ? "" : a, b == NULL ? "" : b) == 0;
}

static bool same_number(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

const struct figure *figures_find(const struct figures *figures, const struct comparison *of)
{
    for (size_t i = 0; i < figures->count; i++) {
        const struct comparison *c = &figures->at[i].of;
        if (c->kind == of->kind && c->structure == of->structure && c->level == of->level &&
            c->kernel == of->kernel && c->layout == of->layout && c->backing == of->backing &&
            c->spacing == of->spacing && c->chains == of->chains &&
            same_text(c->method, of->method) && same_text(c->what, of->what) &&
            same_number(c->bytes, of->bytes) && same_number(c->threads, of->threads) &&
            same_number(c->delay_ns, of->delay_ns))
            return &figures->at[i];
    }
    return NULL;
}

static struct comparison new_figure(enum comparison_kind kind)
{
    struct comparison of;
    row_clear(comparison_columns, &of);
    of.kind = kind;
    of.verdict = VERDICT_CANNOT_TELL;
    return of;
}

/* Adds a figure, or finds the same. A level is there without its number, other figures are not. */
static struct figure *add(struct figures *figures, const struct comparison *of,
                          struct interval range)
{
    struct figure *found = (struct figure *)figures_find(figures, of);
    if (found != NULL || (of->kind != COMPARISON_LEVEL && isnan(range.value)))
        return found;
    figures->at = reallocate(figures->at, figures->count + 1, sizeof *figures->at);
    found = &figures->at[figures->count++];
    *found = (struct figure){.of = *of, .range = range};
    return found;
}

static double or_else(double value, double otherwise)
{
    return isnan(value) ? otherwise : value;
}

/* Without an end it goes from nothing, or to anything. */
static struct interval interval_from(double value, double low, double high)
{
    return (struct interval){value, or_else(low, or_else(value, 0)), or_else(high, INFINITY)};
}

static void add_boundary(struct figures *figures, const struct boundary *row)
{
    struct comparison of = new_figure(COMPARISON_LEVEL);
    bool line = row->structure == STRUCTURE_LINE; /* has bytes alone */
    of.structure = (int)row->structure;
    of.level = row->level;
    of.method = row->method;
    of.kernel = row->structure == STRUCTURE_ITLB ? &kernels[KERNEL_CODE] : NULL;
    of.backing = row->backing;
    if (row->structure != STRUCTURE_PREFETCH)
        add(figures, &of,
            line ? interval_from(row->bytes_min, row->bytes_min, row->bytes_max)
                 : interval_from(row->entries, row->entries_min, row->entries_max));
}

/* An uncertain number may be any. */
static void add_organisation(struct figures *figures, const struct organisation *row)
{
    bool sure = row->confidence != CONFIDENCE_LOW;
    for (enum comparison_kind kind = COMPARISON_WAYS; kind <= COMPARISON_SETS; kind++) {
        struct comparison of = new_figure(kind);
        double value = kind == COMPARISON_WAYS ? row->ways : row->sets;
        of.structure = (int)row->structure;
        of.level = row->level;
        add(figures, &of, interval_from(value, sure ? value : 0, sure ? value : INFINITY));
    }
}

static void add_penalty(struct figures *figures, const struct penalty *row)
{
    static const char *const walks[] = {"walk", "walk1", "walk2", "walk3", "walk4", "walk5"};
    struct comparison of = new_figure(COMPARISON_PENALTY);
    of.method = row->method;
    of.level = row->level > 0 ? row->level : 0;
    if (row->level <= 0 && -row->level < (int)(sizeof walks / sizeof *walks))
        of.what = walks[-row->level];
    add(figures, &of, interval_from(row->ns, row->low, row->high));
}

static void add_latency(struct figures *figures, const struct latency_row *row)
{
    struct comparison of = new_figure(COMPARISON_LATENCY);
    of.what = row->structure;
    of.level = row->level;
    of.kernel = row->kernel;
    of.layout = row->layout;
    of.chains = row->chains;
    add(figures, &of, interval_from(row->ns, row->low_ns, row->high_ns));
}

static void add_rate(struct figures *figures, const struct rate_row *row)
{
    struct comparison of = new_figure(COMPARISON_RATE);
    double value = isnan(row->gb_per_s) ? row->ns : row->gb_per_s;
    of.what = row->op;
    of.bytes = row->bytes;
    of.threads = row->threads;
    of.delay_ns = row->delay_ns;
    if (!isnan(row->spacing))
        of.spacing = (uint64_t)row->spacing;
    struct figure *figure = add(figures, &of, interval_from(value, value, value));
    if (isnan(value))
        return;
    figure->samples = reallocate(figure->samples, figure->count + 1, sizeof *figure->samples);
    figure->samples[figure->count++] = value;
}

struct figures figures_of(const struct run_tables *run)
{
    struct figures figures = {0};
    for (size_t i = 0; i < run->boundaries.count; i++)
        add_boundary(&figures, &run->boundaries.at[i]);
    for (size_t i = 0; i < run->organisation.count; i++)
        add_organisation(&figures, &run->organisation.at[i]);
    for (size_t i = 0; i < run->penalties.count; i++)
        add_penalty(&figures, &run->penalties.at[i]);
    for (size_t i = 0; i < run->latencies.count; i++)
        add_latency(&figures, &run->latencies.at[i]);
    for (size_t i = 0; i < run->rates.count; i++)
        add_rate(&figures, &run->rates.at[i]);
    return figures;
}

void figures_free(struct figures *figures)
{
    for (size_t i = 0; i < figures->count; i++)
        free(figures->at[i].samples);
    free(figures->at);
}
