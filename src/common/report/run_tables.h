/* run_tables.h: the tables of one run (samples, boundaries, penalties, organisation, latencies,
 * rates), told apart by their columns, in any order, in several files or joined in one. */
#ifndef TLBLAB_REPORT_RUN_TABLES_H
#define TLBLAB_REPORT_RUN_TABLES_H

#include "access/layout.h"
#include "access/series.h"
#include "table/table.h"
#include <stdbool.h>
#include <stddef.h>

#define RUN_TABLES_TEXT_ROOM 160
#define RUN_TABLES_RATE_ROOM 32

/* A boundary, a penalty, an organisation or a latency: what the columns of these names hold, "" and
 * NaN where missing. */
struct run_row {
    char structure[RUN_TABLES_TEXT_ROOM], level[RUN_TABLES_TEXT_ROOM],
        confidence[RUN_TABLES_TEXT_ROOM];
    char method[RUN_TABLES_TEXT_ROOM], note[RUN_TABLES_TEXT_ROOM];
    char index[RUN_TABLES_TEXT_ROOM], index_bits[RUN_TABLES_TEXT_ROOM];
    char replacement[RUN_TABLES_TEXT_ROOM], relation[RUN_TABLES_TEXT_ROOM],
        kernel[RUN_TABLES_TEXT_ROOM];
    char file[RUN_TABLES_TEXT_ROOM], host[RUN_TABLES_TEXT_ROOM]; /* of --by */
    double entries, entries_min, entries_max, bytes_min, bytes_max;
    double plateau_ns, step_ns, step_percent, claim, error_percent;
    double penalty_ns, low_ns, high_ns;
    double ways, sets;
    double ns, cycles, chains, over_read_ns;
};

struct run_rows {
    struct run_row *at;
    size_t count;
};

/* A row of rates; NaN where missing. */
struct run_rate {
    char op[RUN_TABLES_RATE_ROOM];
    double bytes, threads, spacing, delay_ns, gb_per_s, ns;
};

struct run_tables {
    struct table *table; /* for the metadata */
    struct run_rows boundaries, penalties, organisation, latencies;
    struct run_rate *rates;
    size_t rate_count;
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

/* Whether a boundary, or a point, is about loads from scattered pages of the base size: not about
 * code, contiguous frames or huge pages. */
bool run_tables_row_is_plain(const struct run_row *row);
bool run_tables_point_is_plain(const struct point *point);

#endif
