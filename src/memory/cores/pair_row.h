/* pair_row.h: the rows of the pairs table: two cores, what the machine claims they share, and how
 * long a cache line takes from one to the other. */
#ifndef TLBLAB_CORES_PAIR_ROW_H
#define TLBLAB_CORES_PAIR_ROW_H

#include "table/row.h"

/* A row; NaN and NULL ("" in a row that was read) mean a missing value. */
struct pair_row {
    double core_a, core_b;
    double sample;       /* number of the pass over all pairs, from 0 */
    double ns, min_ns;   /* one way, of the median lap and of the fastest */
    double laps;         /* timed with this row's kernel */
    const char *shares;  /* the nearest thing that both claim to share: one of pair_shares */
    const char *package; /* of both, or "0,1" if they differ */
    const char *node;    /* likewise */
    const char *kernel;  /* the fastest way to pass the line */
    const char *pinned;  /* whether both threads were pinned: outcome_text() */
    double run_s, t_s;
    const char *note; /* "few_laps" or NULL */
};
extern const struct column pair_columns[];

/* Things that two cores can share, nearest first; ends with a NULL name. */
extern const char *const pair_shares[];

/* The index of a word in pair_shares; -1: not found. */
int pair_shares_find(const char *word);

#endif
