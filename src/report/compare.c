/* compare: says whether two runs differ, level by level and point by point.
 *
 * usage: compare [OPTION...] A B
 * A and B are folders of tables, or tables: boundaries of detect, samples, or both joined. They are
 * of two machines, or of one before and after a change. Writes a row for each level, curve and
 * point; the status is 1 where they differ.
 *
 * example: compare before after >comparison.tsv || echo 'something changed'
 */
#include "access/series.h"
#include "base/args.h"
#include "base/error.h"
#include "base/signed_rank.h"
#include "base/stats.h"
#include "report/run/comparison.h"
#include "report/run/run_tables.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static double confidence = 90, least = 5;

static const struct flag flags[] = {
    {"confidence", FLAG_NUMBER, &confidence, "PERCENT", "of the range of a ratio of times (90)"},
    {"least", FLAG_NUMBER, &least, "PERCENT", "the smallest difference of times that matters (5)"},
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

enum { PAIRS_MOST = 1000 }; /* of signed_rank() */

static struct {
    struct comparison *at;
    size_t count;
} rows;

static void add_row(const struct comparison *row)
{
    rows.at = reallocate(rows.at, rows.count + 1, sizeof *rows.at);
    rows.at[rows.count++] = *row;
}

/* ---- levels ---- */

/* The same level by the same method; NULL: none. Of several runs in one table the first counts. */
static const struct boundary *find_level(const struct run_tables *run,
                                         const struct boundary *wanted)
{
    for (size_t i = 0; i < run->boundaries.count; i++) {
        const struct boundary *row = &run->boundaries.at[i];
        if (boundary_is_same(row, wanted) && strcmp(row->method, wanted->method) == 0)
            return row;
    }
    return NULL;
}

static void add_levels(const struct run_tables *a, const struct run_tables *b)
{
    for (int pass = 0; pass < 2; pass++) { /* those of A, then those that B alone has */
        const struct run_tables *run = pass == 0 ? a : b, *other = pass == 0 ? b : a;
        for (size_t i = 0; i < run->boundaries.count; i++) {
            const struct boundary *row = &run->boundaries.at[i], *found = find_level(other, row);
            if (row->structure == STRUCTURE_PREFETCH || find_level(run, row) != row ||
                (pass == 1 && found != NULL))
                continue;
            struct comparison level = comparison_of_levels(pass == 0 ? row : found,
                                                           pass == 0 ? found : row);
            add_row(&level);
        }
    }
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

static double median_of(const double *values, size_t n)
{
    double *copy = allocate(n, sizeof *copy);
    memcpy(copy, values, n * sizeof *copy);
    double median = stats_median(copy, n);
    free(copy);
    return median;
}

/* The n-th sample of one run is paired with the n-th of the other. Their fastest laps count, where
 * both have them. */
static void add_point(const struct group *a, const struct group *b)
{
    struct comparison row = row_of(COMPARISON_POINT, a != NULL ? &a->point : &b->point);
    bool laps = (a == NULL || has_laps(a)) && (b == NULL || has_laps(b));
    const double *of_a = a == NULL ? NULL : laps ? a->fastest : a->ns;
    const double *of_b = b == NULL ? NULL : laps ? b->fastest : b->ns;
    if (a != NULL)
        row.a = median_of(of_a, a->count);
    if (b != NULL)
        row.b = median_of(of_b, b->count);
    if (a != NULL && b != NULL) {
        size_t n = a->count < b->count ? a->count : b->count;
        comparison_of_times(&row, of_a, of_b, n < PAIRS_MOST ? n : PAIRS_MOST, confidence / 100,
                            least / 100);
    }
    add_row(&row);
}

/* The medians of the points from `from` on, as pairs. */
static void add_curve(const struct point *point, size_t from)
{
    double a[PAIRS_MOST], b[PAIRS_MOST];
    size_t n = 0;
    for (size_t i = from; i < rows.count && n < PAIRS_MOST; i++)
        if (!isnan(rows.at[i].a) && !isnan(rows.at[i].b)) {
            a[n] = rows.at[i].a;
            b[n++] = rows.at[i].b;
        }
    if (n < signed_rank_least(confidence / 100))
        return;
    struct comparison row = row_of(COMPARISON_CURVE, point);
    row.a = median_of(a, n);
    row.b = median_of(b, n);
    comparison_of_times(&row, a, b, n, confidence / 100, least / 100);
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

/* The rows of a kind that differ, and those that could. */
struct tally {
    size_t differ, able;
};

static struct tally count_rows(enum comparison_kind kind)
{
    struct tally tally = {0};
    for (size_t i = 0; i < rows.count; i++)
        if (rows.at[i].kind == kind) {
            tally.differ += rows.at[i].verdict == VERDICT_DIFFERS;
            tally.able += rows.at[i].verdict != VERDICT_CANNOT_TELL || !isnan(rows.at[i].low) ||
                          !isnan(rows.at[i].high);
        }
    return tally;
}

/* Of n points that are alike, some differ by chance: no more than this, with 99 % confidence. */
static double chance_most(double n)
{
    static const double sigmas = 2.33; /* [significance] */
    double p = 1 - confidence / 100;
    return n * p + sigmas * sqrt(n * p * (1 - p));
}

static int answer(void)
{
    struct tally levels = count_rows(COMPARISON_LEVEL), curves = count_rows(COMPARISON_CURVE),
                 points = count_rows(COMPARISON_POINT);
    bool many = (double)points.differ > chance_most((double)points.able);
    if (levels.able + points.able == 0) {
        warn("the runs have no level and no point in common");
        return STATUS_PARTIAL;
    }
    if (!args_quiet)
        warn("%zu of %zu levels, %zu of %zu curves and %zu of %zu points differ%s", levels.differ,
             levels.able, curves.differ, curves.able, points.differ, points.able,
             points.differ == 0 ? ""
             : many             ? ", more points than by chance"
                                : ", no more points than by chance");
    return levels.differ > 0 || curves.differ > 0 || many ? STATUS_PARTIAL : STATUS_DONE;
}

int main(int argc, char **argv)
{
    int first = args_parse(&program, argc, argv);
    if (argc - first != 2)
        die_usage("two runs: folders or tables");
    if (!(confidence >= 50 && confidence < 100))
        die_usage("--confidence: from 50 to below 100");
    if (least < 0)
        die_usage("--least: less than 0");
    struct run_tables a = run_tables_read(argv + first, 1),
                      b = run_tables_read(argv + first + 1, 1);
    add_levels(&a, &b);
    add_points(&a, &b);
    table_begin(NULL);
    put_run("a", argv[first], &a);
    put_run("b", argv[first + 1], &b);
    table_put_columns(comparison_columns, 0);
    for (enum comparison_kind kind = 0; kind < COMPARISON_KINDS; kind++)
        for (size_t i = 0; i < rows.count; i++)
            if (rows.at[i].kind == kind)
                table_put_row(comparison_columns, 0, &rows.at[i]);
    int status = answer();
    if (table_partial(a.table) || table_partial(b.table))
        status = STATUS_PARTIAL;
    run_tables_free(&a);
    run_tables_free(&b);
    free(rows.at);
    return finish(status);
}
