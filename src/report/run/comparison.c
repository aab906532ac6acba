/* comparison.c: do two runs differ? */
#include "report/run/comparison.h"
#include "base/error.h"
#include "base/signed_rank.h"
#include <math.h>
#include <stdlib.h>

const char *const comparison_kind_names[] = {"level", "curve", "point", NULL};
static const char *const verdict_names[] = {"same", "differs", "cannot_tell", NULL};

#define MEMBER(name) offsetof(struct comparison, name)
const struct column comparison_columns[] = {
    COLUMN(WORD, "kind", MEMBER(kind), COLUMN_LIST(comparison_kind_names)),
    COLUMN(WORD, "structure", MEMBER(structure), COLUMN_LIST(structure_names)),
    COLUMN(LEVEL, "level", MEMBER(level)),
    COLUMN(TEXT, "method", MEMBER(method)),
    COLUMN(NAMED, "kernel", MEMBER(kernel), COLUMN_LIST(kernels)),
    COLUMN(NAMED, "layout", MEMBER(layout), COLUMN_LIST(layouts)),
    COLUMN(COUNT, "spacing_bytes", MEMBER(spacing)),
    COLUMN(COUNT, "page_bytes", MEMBER(page_bytes)),
    COLUMN(NAMED, "backing", MEMBER(backing), COLUMN_LIST(backings)),
    COLUMN(COUNT, "chains", MEMBER(chains)),
    COLUMN(COUNT, "pages", MEMBER(pages)),
    COLUMN(NUMBER, "a", MEMBER(a), .per_unit = 1000),
    COLUMN(NUMBER, "b", MEMBER(b), .per_unit = 1000),
    COLUMN(NUMBER, "ratio", MEMBER(ratio), .per_unit = 1e4),
    COLUMN(NUMBER, "low", MEMBER(low), .per_unit = 1e4),
    COLUMN(NUMBER, "high", MEMBER(high), .per_unit = 1e4),
    COLUMN(WORD, "verdict", MEMBER(verdict), COLUMN_LIST(verdict_names)),
    {0},
};

/* A number and its range: without an end it goes from nothing, or to anything. */
struct range_of {
    double value, low, high;
};

static double or_else(double value, double otherwise)
{
    return isnan(value) ? otherwise : value;
}

static struct range_of range_of(const struct boundary *row)
{
    struct range_of r = {NAN, 0, INFINITY};
    if (row == NULL)
        return r;
    bool line = row->structure == STRUCTURE_LINE; /* has bytes alone */
    r.value = line ? row->bytes_min : row->entries;
    r.low = or_else(line ? row->bytes_min : row->entries_min, or_else(r.value, 0));
    r.high = or_else(line ? row->bytes_max : row->entries_max, INFINITY);
    return r;
}

/* A quotient as the table has it. */
static double known(double value)
{
    return isfinite(value) && value > 0 ? value : NAN;
}

static bool holds(const struct range_of *range, double value)
{
    return value >= range->low && value <= range->high;
}

struct comparison comparison_of_levels(const struct boundary *a, const struct boundary *b)
{
    const struct boundary *any = a != NULL ? a : b;
    struct range_of of_a = range_of(a), of_b = range_of(b);
    struct comparison row;
    row_clear(comparison_columns, &row);
    row.kind = COMPARISON_LEVEL;
    row.structure = (int)any->structure;
    row.level = any->level;
    row.method = any->method;
    row.kernel = any->code ? &kernels[KERNEL_CODE] : NULL;
    row.backing = any->backing;
    row.a = of_a.value;
    row.b = of_b.value;
    row.ratio = known(of_b.value / of_a.value);
    row.low = known(of_b.low / of_a.high);
    row.high = known(of_b.high / of_a.low);
    row.verdict = of_a.high < of_b.low || of_b.high < of_a.low           ? VERDICT_DIFFERS
                  : holds(&of_a, of_b.value) && holds(&of_b, of_a.value) ? VERDICT_SAME
                                                                         : VERDICT_CANNOT_TELL;
    return row;
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
