/* comparison.h: the rows of a comparison of two runs, and what decides them. */
#ifndef TLBLAB_RUN_COMPARISON_H
#define TLBLAB_RUN_COMPARISON_H

#include "access/kernel.h"
#include "access/layout.h"
#include "table/row.h"
#include "tlb/detect/boundary.h"
#include <stddef.h>
#include <stdint.h>

/* A level of a TLB or cache; the points of a curve together; a point. */
enum comparison_kind { COMPARISON_LEVEL, COMPARISON_CURVE, COMPARISON_POINT, COMPARISON_KINDS };
enum verdict { VERDICT_SAME, VERDICT_DIFFERS, VERDICT_CANNOT_TELL };

struct comparison {
    enum comparison_kind kind;
    int structure, level; /* of a level; -1 and 0 elsewhere */
    const char *method;   /* by which the level was found */
    const struct kernel *kernel;
    const struct layout *layout;
    const struct backing *backing;
    uint64_t spacing, page_bytes, chains, pages; /* COUNT_MISSING: the row has none */
    double a, b;                                 /* entries, or ns; NaN: not known */
    double ratio, low, high;                     /* of b to a, and its range */
    enum verdict verdict;
};

extern const struct column comparison_columns[];
extern const char *const comparison_kind_names[];

/* Two boundaries of one level; NULL: that run has none. They differ where their ranges are apart,
 * and are the same where each number lies in the range of the other. */
struct comparison comparison_of_levels(const struct boundary *a, const struct boundary *b);

/* Sets ratio, range and verdict from n pairs of times: the interval of signed_rank.h for the
 * logarithms of their quotients. They differ where 1 is outside and the ratio is `least` from it,
 * and are the same where the whole interval is nearer than that. */
void comparison_of_times(struct comparison *row, const double *a, const double *b, size_t n,
                         double confidence, double least);

#endif
