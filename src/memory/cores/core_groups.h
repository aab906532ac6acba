/* core_groups.h: which cores are close to each other, by the times between them and by the
 * machine's claims. */
#ifndef TLBLAB_CORES_CORE_GROUPS_H
#define TLBLAB_CORES_CORE_GROUPS_H

#include "memory/cores/pair_row.h"
#include "table/row.h"
#include <stdbool.h>
#include <stddef.h>

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
