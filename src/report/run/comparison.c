/* comparison.c: do two runs differ? */
#include "report/run/comparison.h"
#include "base/error.h"
#include "base/stats.h"
#include "tlb/detect/boundary.h"
#include <math.h>
#include <stdlib.h>

const char *const comparison_kind_names[] = {"level", "ways",  "sets",  "penalty", "latency",
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
