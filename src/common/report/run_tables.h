/* run_tables.h: the tables of one run (samples, boundaries, penalties, organisation, latencies,
 * rates), told apart by their columns, in any order, in several files or joined in one. */
#ifndef TLBLAB_REPORT_RUN_TABLES_H
#define TLBLAB_REPORT_RUN_TABLES_H

#include "access/layout.h"
#include "access/series.h"
#include "bandwidth/rate_row.h"
#include "cost/level_latency.h"
#include "cost/penalty.h"
#include "detect/boundary.h"
#include "geometry/organisation.h"
#include "table/table.h"
#include <stdbool.h>
#include <stddef.h>

struct run_boundaries {
    struct boundary *at;
    size_t count;
};
struct run_penalties {
    struct penalty *at;
    size_t count;
};
struct run_organisation {
    struct organisation *at;
    size_t count;
};
struct run_latencies {
    struct latency_row *at;
    size_t count;
};
struct run_rates {
    struct rate_row *at;
    size_t count;
};

struct run_tables {
    struct table *table; /* for the metadata */
    struct run_boundaries boundaries;
    struct run_penalties penalties;
    struct run_organisation organisation;
    struct run_latencies latencies;
    struct run_rates rates;
    struct series series;           /* of the samples, sorted */
    const char *samples_file;       /* the last file with columns layout and ns; NULL: none */
    double loads_least, loads_most; /* of a sample; least > most where they are not known */
    double run_s;                   /* of all samples; NaN when one of them does not tell */
    double swapped_bytes; /* least size of which one load in a hundred or more met a page fault */
    size_t moved;         /* samples during which the thread changed cores */
    const char *backed[BACKINGS]; /* by the row of the backing (layout.h): what the samples
                                     say of it, "no" before all else; NULL: nothing */
    const char *locked;           /* the same of locking */
};

/* Reads all files. Dies for a table that is none of these, and for bad data. */
struct run_tables run_tables_read(char *const *files, int count);
void run_tables_free(struct run_tables *run);

/* Whether a program had a part in one of the tables, be they empty. */
bool run_tables_was_run(const struct run_tables *run, const char *program);

/* Whether there are rates, and nothing that could tell of a TLB. */
bool run_tables_is_rates(const struct run_tables *run);

/* Whether a point is about what boundary_is_plain() is. */
bool run_tables_point_is_plain(const struct point *point);

/* The columns of every kind of table, NULL behind the last; and whether a column of that name holds
 * text, be it made of digits. */
extern const struct column *const run_tables_columns[];
bool run_tables_is_text(struct field name);

#endif
