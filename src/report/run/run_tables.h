/* run_tables.h: the tables of one run: samples, boundaries, penalties, organisation, latencies,
 * rates and misses of programs, in any order, in several files or concatenated. Their columns
 * identify them. */
#ifndef TLBLAB_RUN_RUN_TABLES_H
#define TLBLAB_RUN_RUN_TABLES_H

#include "access/layout.h"
#include "access/series.h"
#include "memory/streams/rate_row.h"
#include "table/table.h"
#include "tlb/cost/level_latency.h"
#include "tlb/cost/penalty.h"
#include "tlb/detect/boundary.h"
#include "tlb/geometry/organisation.h"
#include <stdbool.h>
#include <stddef.h>

/* A row of a table of misses(1): of a trace, or of what has changed since another one. Each kind
 * lacks the numbers of the other, which are NaN. */
struct miss_row {
    /* The owner of the misses; "" where they are not grouped by it. */
    const char *object, *function, *line, *page, *thread, *phase, *group, *permission;
    double misses, seconds;
    double before, after;
    unsigned long table; /* table_head() */
};
extern const struct column miss_columns[];

/* The rows of one kind. */
#define RUN_ROWS(type)                                                                             \
    struct {                                                                                       \
        type *at;                                                                                  \
        size_t count;                                                                              \
    }

struct run_files {
    char **at;
    int count;
};

struct run_tables {
    struct run_files files;
    struct table *table; /* for its metadata */
    RUN_ROWS(struct boundary) boundaries;
    RUN_ROWS(struct penalty) penalties;
    RUN_ROWS(struct organisation) organisation;
    RUN_ROWS(struct latency_row) latencies;
    RUN_ROWS(struct rate_row) rates;
    RUN_ROWS(struct miss_row) misses;
    struct series series;        /* of the samples, sorted */
    const char *samples_file;    /* the last file with columns layout and ns; NULL: none */
    double loads_min, loads_max; /* of a sample; least > most: unknown */
    double run_s;                /* of all samples; NaN: missing in one of them */
    double faults_bytes; /* smallest size with a page fault in 1 % of its loads; NaN: none */
    bool cut;            /* series_warn_of_cut() */
    size_t moved;        /* samples during which the thread changed cores */
    bool counted;        /* whether disturbances were, in any sample */
    const char *backed[BACKINGS]; /* the column `backed` for each backing: "no" if any sample has
                                     it, else the last value; NULL: missing */
    const char *locked;           /* likewise for the column `locked` */
};

/* Reads all files, and the tables in folders. Dies for other kinds of table, for those of several
 * machines, and for bad data. */
struct run_tables run_tables_read(char *const *files, int count);
void run_tables_free(struct run_tables *run);

/* run_folder.c: the operands, with those tables (*.tsv) of a folder in its place that
 * run_tables_read() reads. Dies for a folder that has none. */
struct run_files run_files_of(char *const *operands, int count);
void run_files_free(struct run_files *files);

/* Whether a file is a table of a kind that run_tables_read() reads. */
bool run_tables_has_kind(const char *file);

/* Whether a program wrote or processed one of the tables, according to their metadata. */
bool run_tables_was_run(const struct run_tables *run, const char *program);

/* A metadata value as a positive number; NaN for anything else. */
double run_tables_number(const struct run_tables *run, const char *key);

/* Adds what detect and walkpenalty find in the samples, where neither wrote a table of the run and
 * their control is there. */
void run_tables_complete(struct run_tables *run);

/* Whether there are rates or a program's misses, and no table about a TLB's size or cost. */
bool run_tables_lacks_tlb(const struct run_tables *run);

/* Whether a point loads from scattered pages of the base size, like boundary_is_plain() for a
 * row. */
bool run_tables_point_is_plain(const struct point *point);

/* The columns of every kind of table, NULL after the last; and whether a column of that name is
 * always text, even if it looks like a number. */
extern const struct column *const run_tables_columns[];
bool run_tables_is_text(struct field name);

#endif
