/* core_groups.h: which cores lie near each other, by the times between them and by what the machine
 * claims. */
#ifndef TLBLAB_CORES_CORE_GROUPS_H
#define TLBLAB_CORES_CORE_GROUPS_H

#include "memory/cores/pair_row.h"
#include "table/row.h"
#include <stdbool.h>
#include <stddef.h>

/* A row of the groups table; NaN, 0 and NULL stand for a missing value. */
struct core_group {
    int level;         /* from 1, the nearest; 0: the group is a claim alone */
    const char *cores; /* a list: "0-3,8" */
    double count;      /* of them */
    double ns;         /* between two of them: median over the pairs of min_ns */
    double least_ns;   /* the fastest pair within */
    double most_ns;    /* the slowest pair within */
    double next_ns;    /* the fastest pair with another core; NaN: there is no other */
    const char *claim; /* what they share by claim (pair_shares); NULL: this group is no claim */
    bool uneven;       /* pairs of this claim belong to several levels; not a column */
    const char *note;  /* as_claimed, not_claimed, only_claimed, claim_uneven, alone; or NULL */
};
extern const struct column core_group_columns[];

struct core_groups {
    struct core_group *at; /* to be freed */
    size_t count;
    size_t cores, pairs;
    size_t missing;  /* pairs of these cores without a time */
    size_t moved;    /* samples of a level beyond that of their pair */
    double moved_ns; /* the slowest of them */
};

/* The groups of all pairs; of a pair that has several rows the fastest counts. A level ends where
 * no pair takes a time between it and a quarter more: cores that share a cache, and those that do
 * not, differ by more, and all cores of one mesh by less. */
struct core_groups core_groups_find(const struct pair_row *rows, size_t count);

void core_groups_free(struct core_groups *groups);

/* Writes what they mean in a sentence each, on stderr. */
void core_groups_explain(const struct core_groups *groups);

#endif
