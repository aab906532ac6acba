/* groups.h: the samples of one analysis: all of them, or those of one file or host (--by). */
#ifndef TLBLAB_DETECT_GROUPS_H
#define TLBLAB_DETECT_GROUPS_H

#include "access/series.h"
#include "table/row.h"
#include "table/table.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sample_group {
    const char *label; /* the file or host; NULL: all samples are one group */
    int file;          /* whose metadata describe the machine; -1: the last value in any file */
    size_t metas;      /* number of that file's metadata that stand before the group's rows */
    const char *cpu;   /* of the first samples, or NULL */
    struct series series;
};

struct sample_groups {
    struct sample_group *at;
    size_t count;
};

/* Reads all samples. `by` is NULL, "file" or "host" (the metadata `host`); anything else is a usage
 * error. Every file has a group, even one without rows. Warns of samples of several processors in
 * one group. The labels live as long as the table. */
struct sample_groups groups_read(struct table *table, const char *by);
void groups_free(struct sample_groups *groups);

/* The option of the columns that --by adds (row.h). */
unsigned groups_option(const char *by);

/* Prints one line on standard error, after the group's label. */
void group_warn(const struct sample_group *group, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* A metadata value of the group's machine, or NULL; and as a size, `otherwise` when it is none. */
const char *group_meta(const struct table *table, const struct sample_group *group,
                       const char *key);
uint64_t group_size(const struct table *table, const struct sample_group *group, const char *key,
                    uint64_t otherwise);

/* Whether a value of the metadata `hypervisor` (or NULL) names one, and whether a group's does. */
bool names_hypervisor(const char *value);
bool group_is_guest(const struct table *table, const struct sample_group *group);

#endif
