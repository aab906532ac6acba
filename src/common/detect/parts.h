/* parts.h: the samples that are judged together: all of them, or those of one file or host. */
#ifndef TLBLAB_DETECT_PARTS_H
#define TLBLAB_DETECT_PARTS_H

#include "access/series.h"
#include "table/table.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct part {
    const char *label; /* the file or host; NULL when all samples are one part */
    int file;          /* whose metadata describe the machine; -1: the last word of all files */
    size_t metas;      /* of that file, as far as they stand before this part's rows */
    const char *cpu;   /* whose samples came first, or NULL */
    struct series series;
};

struct parts {
    struct part *at;
    size_t count;
};

/* Reads all samples. `by` is NULL, "file" or "host" (the metadata `host`); anything else is a usage
 * error. Every file has a part, also one without rows. Samples of several processors in one part
 * get a warning. The labels live as long as the table. */
struct parts parts_read(struct table *table, const char *by);
void parts_free(struct parts *parts);

/* Writes metadata and header of a table of answers: `columns`, those of `more` behind them (each
 * with a tab before it), and that of --by. */
void parts_begin(const struct table *table, const char *columns, const char *more, const char *by);

/* What stands behind the last other field of a row, and then ends the row: with --by the label. */
char part_after(const struct part *part);
void part_put_label(const struct part *part);

/* One line on stderr, with the label before it. */
void part_warn(const struct part *part, const char *text);

/* A metadata value of the machine that the part comes from, or NULL; and as a size, `otherwise`
 * where it is none. */
const char *part_meta(const struct table *table, const struct part *part, const char *key);
uint64_t part_size(const struct table *table, const struct part *part, const char *key,
                   uint64_t otherwise);

/* Whether a value of the metadata `hypervisor` (or NULL) names one; and whether that of a part
 * does. */
bool names_hypervisor(const char *value);
bool part_is_guest(const struct table *table, const struct part *part);

#endif
