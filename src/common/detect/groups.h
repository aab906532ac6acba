/* groups.h: the samples that are judged together: all of them, or those of one file or host. */
#ifndef TLBLAB_DETECT_GROUPS_H
#define TLBLAB_DETECT_GROUPS_H

#include "access/series.h"
#include "table/row.h"
#include "table/table.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sample_group {
    const char *label; /* the file or host; NULL when all samples are one group */
    int file;          /* whose metadata describe the machine; -1: the last word of all files */
    size_t metas;      /* of that file, as far as they stand before this group's rows */
    const char *cpu;   /* whose samples came first, or NULL */
    struct series series;
};

struct sample_groups {
    struct sample_group *at;
    size_t count;
};

/* Reads all samples. `by` is NULL, "file" or "host" (the metadata `host`); anything else is a usage
 * error. Every file has a group, also one without rows. Samples of several processors in one group
 * get a warning. The labels live as long as the table. */
struct sample_groups groups_read(struct table *table, const char *by);
void groups_free(struct sample_groups *groups);

/* The option that --by adds to those of a table of answers. */
unsigned groups_option(const char *by);

/* One line on stderr, with the label before it. */
void group_warn(const struct sample_group *group, const char *text);

/* A metadata value of the machine that the group comes from, or NULL; and as a size, `otherwise`
 * where it is none. */
const char *group_meta(const struct table *table, const struct sample_group *group,
                       const char *key);
uint64_t group_size(const struct table *table, const struct sample_group *group, const char *key,
                    uint64_t otherwise);

/* Whether a value of the metadata `hypervisor` (or NULL) names one; and whether that of a group
 * does. */
bool names_hypervisor(const char *value);
bool group_is_guest(const struct table *table, const struct sample_group *group);

#endif
