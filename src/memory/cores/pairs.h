/* pairs.h: pairs of cores, with what the machine claims they share and how long a cache line takes
 * from one to the other; and which cores are close to each other, by those times and claims. */
#ifndef TLBLAB_CORES_PAIRS_H
#define TLBLAB_CORES_PAIRS_H

#include "table/row.h"
#include <stdbool.h>
#include <stddef.h>

/* A row of the pairs table; NaN and NULL ("" in a row that was read) mean a missing value. */
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

/* A row of the groups table; NaN, 0 and NULL mean a missing value. */
struct core_group {
    int level;         /* 1 is the nearest; 0: the group exists only as a claim */
    const char *cores; /* a list: "0-3,8" */
    double count;      /* number of cores */
    double ns;         /* between two of them: median over the pairs of min_ns */
    double least_ns;   /* the fastest pair within */
    double most_ns;    /* the slowest pair within */
    double next_ns;    /* the fastest pair with a core outside; NaN: none is outside */
    const char *claim; /* what they claim to share (pair_shares); NULL: not a claimed group */
    bool uneven;       /* pairs of this claim belong to several levels; not a column */
    const char *note;  /* as_claimed, not_claimed, only_claimed, claim_uneven, alone; or NULL */
};
extern const struct column core_group_columns[];

struct core_groups {
    struct core_group *at; /* to be freed */
    size_t count;
    size_t cores, pairs;
    size_t missing;  /* pairs of these cores without a time */
    size_t moved;    /* samples a level or more above their pair */
    double moved_ns; /* the slowest of them */
};

/* The groups of all pairs; of a pair's several rows the fastest counts. A level ends where the next
 * time is at least a quarter longer: cores that share a cache differ from those that do not by
 * more, and the cores of one mesh differ by less. */
struct core_groups core_groups_find(const struct pair_row *rows, size_t count);

void core_groups_free(struct core_groups *groups);

/* Explains each group in a sentence on stderr. */
void core_groups_explain(const struct core_groups *groups);

#endif
