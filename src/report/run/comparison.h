/* comparison.h: the rows of a comparison of two runs, what decides them, and the numbers of a run
 * that are compared. */
#ifndef TLBLAB_RUN_COMPARISON_H
#define TLBLAB_RUN_COMPARISON_H

#include "access/kernel.h"
#include "access/layout.h"
#include "report/run/run_tables.h"
#include "table/row.h"
#include <stddef.h>
#include <stdint.h>

/* A level of a TLB or cache, its ways and sets; what a miss and an access cost; a rate; the points
 * of a curve together; a point. */
enum comparison_kind {
    COMPARISON_LEVEL,
    COMPARISON_WAYS,
    COMPARISON_SETS,
    COMPARISON_PENALTY,
    COMPARISON_LATENCY,
    COMPARISON_RATE,
    COMPARISON_CURVE,
    COMPARISON_POINT,
    COMPARISON_KINDS
};
enum verdict { VERDICT_SAME, VERDICT_DIFFERS, VERDICT_CANNOT_TELL };

struct comparison {
    enum comparison_kind kind;
    int structure, level; /* of a level; -1 and 0 elsewhere */
    const char *method;   /* by which the level or the penalty was found */
    const struct kernel *kernel;
    const struct layout *layout;
    const struct backing *backing;
    uint64_t spacing, page_bytes, chains, pages; /* COUNT_MISSING: the row has none */
    double a, b;                                 /* entries, ns, GB/s; NaN: not known */
    double a_min, a_max, b_min, b_max;           /* their ranges; NaN: none, or without this end */
    double ratio, low, high;                     /* of b to a, and its range */
    enum verdict verdict;
    const char *what; /* of a rate its op, of a latency its structure, of a penalty the walk */
    double bytes, threads, delay_ns; /* of a rate */
};

/* A number and its range; NaN: not known. */
struct interval {
    double value, low, high;
};

/* The option of the columns of penalties, latencies and rates. */
enum { COMPARISON_COSTS = 1 };

extern const struct column comparison_columns[];

/* Sets numbers, ratio, range and verdict from two ranges; NULL: that run has none. They differ
 * where they are apart and the ratio is `least` from 1, and are the same where each number lies in
 * the range of the other, or is as near. */
void comparison_of_ranges(struct comparison *row, const struct interval *a,
                          const struct interval *b, double least);

/* Sets ratio, range and verdict from n pairs of times: the interval of signed_rank() for the
 * logarithms of their quotients. They differ where 1 is outside and the ratio is `least` from it,
 * and are the same where the whole interval is nearer than that. */
void comparison_of_times(struct comparison *row, const double *a, const double *b, size_t n,
                         double confidence, double least);

/* A number of a run that is no point of a curve: a level, ways and sets, a penalty, a latency, a
 * rate. */
struct figure {
    struct comparison of; /* its kind and what identifies it; nothing compared yet */
    struct interval range;
    double *samples; /* of a rate; NULL: the range says all */
    size_t count;
};

struct figures {
    struct figure *at;
    size_t count;
};

/* Of several numbers for the same the first counts, of rates all are samples. */
struct figures figures_of(const struct run_tables *run);
void figures_free(struct figures *figures);

/* The number of another run for the same; NULL: none. */
const struct figure *figures_find(const struct figures *figures, const struct comparison *of);

#endif
