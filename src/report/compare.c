/* compare: says whether two runs differ, level by level and point by point.
 *
 * usage: compare [OPTION...] A B
 * A and B are folders of tables, or tables: samples, boundaries, organisation, penalties, latencies
 * and rates. They are of two machines, or of one before and after a change. Levels and penalties
 * that a run lacks are found in its samples. Writes a row for each level, figure, curve and point;
 * the status is 1 where they differ.
 *
 * example: compare before after >comparison.tsv || echo 'something changed'
 */
#include "access/series.h"
#include "base/args.h"
#include "base/error.h"
#include "base/stats.h"
#include "report/prose/difference.h"
#include "report/run/comparison.h"
#include "report/run/run_tables.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static double confidence = 90, min_effect = 5;
static bool with_points;

static const struct flag flags[] = {
    {"confidence", FLAG_NUMBER, &confidence, "PERCENT", "of the range of a ratio of times (90)",
     .min = 50, .max = 99.9999},
    {"min-effect", FLAG_NUMBER, &min_effect, "PERCENT",
     "the smallest difference of times that matters (5)", .max = 1e9},
    {"points", FLAG_YES, &with_points, NULL, "on a terminal, show rates and points too"},
    {0},
};

static const struct program program = {
    .name = "compare",
    .purpose = "say whether two runs, or two machines, differ",
    .operands = "A B",
    .example = "compare before after",
    .flags = flags,
    .writes_table = true,
};

enum { PAIRS_MAX = 1000 }; /* of signed_rank() */

static struct {
    struct comparison *at;
    size_t count;
} rows;

static void add_row(const struct comparison *row)
{
    rows.at = reallocate(rows.at, rows.count + 1, sizeof *rows.at);
    rows.at[rows.count++] = *row;
}

/* ---- points ---- */

/* Sets of pages and probes are no points of a curve by its pages. */
static bool is_compared(const struct point *point)
{
    return point->targets == 0 && point->touches == 0 && point->role != ROLE_COMPARISON;
}

static struct comparison row_of(enum comparison_kind kind, const struct point *point)
{
    struct comparison row;
    row_clear(comparison_columns, &row);
    row.kind = kind;
    row.kernel = point->kernel;
    row.layout = point->layout;
    row.backing = point->backing;
    row.spacing = point->spacing;
    row.page_bytes = point->page_bytes;
    row.chains = point->chains > 1 ? point->chains : COUNT_MISSING;
    if (kind == COMPARISON_POINT)
        row.pages = point->pages;
    row.verdict = VERDICT_CANNOT_TELL;
    return row;
}

static bool has_laps(const struct group *group)
{
    for (size_t i = 0; i < group->count; i++)
        if (group->fastest[i] < group->ns[i])
            return true;
    return false;
}

/* The n-th sample of one run is paired with the n-th of the other; one of them may have none. */
static void compare_samples(struct comparison *row, const double *a, size_t count_a,
                            const double *b, size_t count_b)
{
    size_t n = count_a < count_b ? count_a : count_b;
    if (count_a > 0)
        row->a = stats_median(a, count_a);
    if (count_b > 0)
        row->b = stats_median(b, count_b);
    if (n > 0)
        comparison_of_times(row, a, b, n < PAIRS_MAX ? n : PAIRS_MAX, confidence / 100,
                            min_effect / 100);
}

/* The fastest laps count, where both runs have them. */
static void add_point(const struct group *a, const struct group *b)
{
    struct comparison row = row_of(COMPARISON_POINT, a != NULL ? &a->point : &b->point);
    bool laps = (a == NULL || has_laps(a)) && (b == NULL || has_laps(b));
    const double *of_a = a == NULL ? NULL : laps ? a->fastest : a->ns;
    const double *of_b = b == NULL ? NULL : laps ? b->fastest : b->ns;
    compare_samples(&row, of_a, a == NULL ? 0 : a->count, of_b, b == NULL ? 0 : b->count);
    add_row(&row);
}

/* The medians of the points from `from` on, as pairs. */
static void add_curve(const struct point *point, size_t from)
{
    double a[PAIRS_MAX], b[PAIRS_MAX];
    size_t n = 0;
    for (size_t i = from; i < rows.count && n < PAIRS_MAX; i++)
        if (!isnan(rows.at[i].a) && !isnan(rows.at[i].b)) {
            a[n] = rows.at[i].a;
            b[n++] = rows.at[i].b;
        }
    if (n < signed_rank_min(confidence / 100))
        return;
    struct comparison row = row_of(COMPARISON_CURVE, point);
    row.a = stats_median(a, n);
    row.b = stats_median(b, n);
    comparison_of_times(&row, a, b, n, confidence / 100, min_effect / 100);
    add_row(&row);
}

static void add_points(const struct run_tables *a, const struct run_tables *b)
{
    const struct group *groups = a->series.groups;
    size_t from = rows.count;
    for (size_t g = 0; g < a->series.count; g++) {
        const struct point *point = &groups[g].point;
        if (!is_compared(point))
            continue;
        add_point(&groups[g], series_find(&b->series, point));
        if (g + 1 == a->series.count || !point_same_curve(&groups[g + 1].point, point)) {
            add_curve(point, from);
            from = rows.count;
        }
    }
    for (size_t g = 0; g < b->series.count; g++)
        if (is_compared(&b->series.groups[g].point) &&
            series_find(&a->series, &b->series.groups[g].point) == NULL)
            add_point(NULL, &b->series.groups[g]);
}

/* ---- figures ---- */

/* Levels, ways and sets are exact; times matter from `min_effect` on. */
static void add_figure(const struct figure *a, const struct figure *b)
{
    const struct figure *any = a != NULL ? a : b;
    struct comparison row = any->of;
    if (any->samples != NULL)
        compare_samples(&row, a == NULL ? NULL : a->samples, a == NULL ? 0 : a->count,
                        b == NULL ? NULL : b->samples, b == NULL ? 0 : b->count);
    else
        comparison_of_ranges(&row, a == NULL ? NULL : &a->range, b == NULL ? NULL : &b->range,
                             row.kind >= COMPARISON_PENALTY ? min_effect / 100 : 0);
    add_row(&row);
}

/* The rows of A, then those that only B has. */
static void add_figures(const struct run_tables *run_a, const struct run_tables *run_b)
{
    struct figures a = figures_of(run_a), b = figures_of(run_b);
    for (size_t i = 0; i < a.count; i++)
        add_figure(&a.at[i], figures_find(&b, &a.at[i].of));
    for (size_t i = 0; i < b.count; i++)
        if (figures_find(&a, &b.at[i].of) == NULL)
            add_figure(NULL, &b.at[i]);
    figures_free(&a);
    figures_free(&b);
}

/* ---- how many differ ---- */

/* The rows of some kinds that differ, and those that could. */
struct tally {
    size_t differ, able;
};

static struct tally count_rows(enum comparison_kind first, enum comparison_kind last)
{
    struct tally tally = {0};
    for (size_t i = 0; i < rows.count; i++)
        if (rows.at[i].kind >= first && rows.at[i].kind <= last) {
            tally.differ += rows.at[i].verdict == VERDICT_DIFFERS;
            tally.able += rows.at[i].verdict != VERDICT_CANNOT_TELL || !isnan(rows.at[i].low) ||
                          !isnan(rows.at[i].high);
        }
    return tally;
}

/* Of n points that are alike, some differ by chance: no more than this, with 99 % confidence. */
static double chance_max(double n)
{
    static const double sigmas = 2.33; /* [significance] */
    double p = 1 - confidence / 100;
    return n * p + sigmas * sqrt(n * p * (1 - p));
}

/* Whether more differ than by chance. */
static bool is_many(struct tally tally)
{
    return (double)tally.differ > chance_max((double)tally.able);
}

static const char *chance(struct tally tally)
{
    return tally.differ == 0 ? ""
           : is_many(tally)  ? ", more than chance explains"
                             : ", no more than chance explains";
}

/* ---- the answer ---- */

static void put_run(const char *key, const char *operand, const struct run_tables *run)
{
    char cpu_key[16];
    const char *cpu = table_meta(run->table, -1, "cpu");
    table_put_meta(key, "%s", operand);
    snprintf(cpu_key, sizeof cpu_key, "%s_cpu", key);
    if (cpu != NULL)
        table_put_meta(cpu_key, "%s", cpu);
}

/* For people there is a row for each level, figure and curve, and then sentences. */
static bool is_shown(enum comparison_kind kind)
{
    return with_points || !args_for_people() ||
           (kind != COMPARISON_RATE && kind != COMPARISON_POINT);
}

static bool is_figure(const struct comparison *row)
{
    return row->kind <= COMPARISON_LATENCY;
}

static void say_run(const char *name, const char *operand, const struct run_tables *run)
{
    const char *cpu = table_meta(run->table, -1, "cpu");
    table_say(cpu != NULL ? "%s: %s (%s)." : "%s: %s.", name, operand, cpu);
}

/* The levels and figures that are the same, in one sentence. */
static void say_same(void)
{
    static const char title[] = "The same in both: ";
    char text[900], subject[SENTENCE_ROOM];
    size_t used = (size_t)snprintf(text, sizeof text, "%s", title);
    for (size_t i = 0; i < rows.count; i++)
        if (is_figure(&rows.at[i]) && rows.at[i].verdict == VERDICT_SAME && used < sizeof text - 1)
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%s",
                                     used == strlen(title) ? "" : ", ",
                                     difference_subject(&rows.at[i], subject));
    if (used > strlen(title))
        table_say("%s.", text);
}

/* A sentence for each level and figure of a verdict. */
static void say_each(enum verdict verdict, const char *title, double ghz_a, double ghz_b)
{
    char text[SENTENCE_ROOM];
    for (size_t i = 0; i < rows.count; i++)
        if (is_figure(&rows.at[i]) && rows.at[i].verdict == verdict)
            table_say("%s%s", title, difference_sentence(&rows.at[i], ghz_a, ghz_b, text));
}

static void say_many(const char *name, enum comparison_kind kind)
{
    struct tally tally = count_rows(kind, kind);
    if (tally.able > 0)
        table_say("Of %zu %s %zu differ%s.", tally.able, name, tally.differ, chance(tally));
}

static void say_picture(char *const *operands)
{
    if (!args_pretty && strcmp(operands[0], "-") != 0 && strcmp(operands[1], "-") != 0)
        table_say("  tlblab %s | tlblab plot --output compare.png compare", args_command());
}

static void say_differences(char *const *operands, const struct run_tables *a,
                            const struct run_tables *b)
{
    double ghz_a = run_tables_number(a, "ghz_estimated"),
           ghz_b = run_tables_number(b, "ghz_estimated");
    say_run("A", operands[0], a);
    say_run("B", operands[1], b);
    say_each(VERDICT_DIFFERS, "", ghz_a, ghz_b);
    say_same();
    say_each(VERDICT_CANNOT_TELL, "Undecided. ", ghz_a, ghz_b);
    say_many("points", COMPARISON_POINT);
    say_many("rates", COMPARISON_RATE);
    say_picture(operands);
}

static int answer(void)
{
    struct tally levels = count_rows(COMPARISON_LEVEL, COMPARISON_LEVEL),
                 figures = count_rows(COMPARISON_WAYS, COMPARISON_LATENCY),
                 rates = count_rows(COMPARISON_RATE, COMPARISON_RATE),
                 curves = count_rows(COMPARISON_CURVE, COMPARISON_CURVE),
                 points = count_rows(COMPARISON_POINT, COMPARISON_POINT);
    bool differ = levels.differ + figures.differ + curves.differ > 0;
    if (levels.able + figures.able + rates.able + points.able == 0) {
        warn("the runs have nothing in common that can be decided (a point or a rate takes %zu "
             "samples)",
             signed_rank_min(confidence / 100));
        return STATUS_PARTIAL;
    }
    differ = differ || is_many(points) || is_many(rates);
    if (args_quiet || args_for_people()) /* these have sentences */
        return differ ? STATUS_PARTIAL : STATUS_DONE;
    warn("%zu of %zu levels, %zu of %zu curves and %zu of %zu points differ%s", levels.differ,
         levels.able, curves.differ, curves.able, points.differ, points.able, chance(points));
    if (figures.able + rates.able > 0)
        warn("%zu of %zu ways, sets, penalties and latencies differ, and %zu of %zu rates%s",
             figures.differ, figures.able, rates.differ, rates.able, chance(rates));
    return differ ? STATUS_PARTIAL : STATUS_DONE;
}

/* Misses of programs have another measure: it is in their traces. */
static void say_misses(const struct run_tables *a, const struct run_tables *b)
{
    if (a->misses.count > 0 && b->misses.count > 0)
        warn("tables of a program's TLB misses are not compared here: 'misses --compare BEFORE "
             "AFTER' "
             "compares the traces that they are of");
}

static bool has_costs(const struct run_tables *run)
{
    return run->penalties.count + run->latencies.count + run->rates.count > 0;
}

int main(int argc, char **argv)
{
    int first = args_parse(&program, argc, argv);
    if (argc - first != 2)
        die_usage("expected two runs: folders or tables");
    struct run_tables a = run_tables_read(argv + first, 1),
                      b = run_tables_read(argv + first + 1, 1);
    run_tables_complete(&a);
    run_tables_complete(&b);
    add_figures(&a, &b);
    add_points(&a, &b);
    table_begin(NULL);
    put_run("a", argv[first], &a);
    put_run("b", argv[first + 1], &b);
    unsigned options = has_costs(&a) || has_costs(&b) ? COMPARISON_COSTS : 0;
    table_put_columns(comparison_columns, options);
    for (enum comparison_kind kind = 0; kind < COMPARISON_KINDS; kind++)
        for (size_t i = 0; i < rows.count; i++)
            if (rows.at[i].kind == kind && is_shown(kind))
                table_put_row(comparison_columns, options, &rows.at[i]);
    say_differences(argv + first, &a, &b);
    say_misses(&a, &b);
    int status = answer();
    if (table_partial(a.table) || table_partial(b.table))
        status = STATUS_PARTIAL;
    run_tables_free(&a);
    run_tables_free(&b);
    free(rows.at);
    return finish(status);
}
