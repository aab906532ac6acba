/* point.h: the rows of the points and samples tables. A point is one sample to take; a sample is a
 * point with what was measured. */
#ifndef TLBLAB_ACCESS_POINT_H
#define TLBLAB_ACCESS_POINT_H

#include "table/row.h"
#include "table/table.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum role { ROLE_SWEEP, ROLE_REFINE, ROLE_COMPARISON };

/* How layout `box` orders its windows; the `chain` metadata. */
enum chain_mode { CHAIN_RANDOM_BOX, CHAIN_SAME_RANDOM_IN_BOX, CHAIN_DIFF_RANDOM_IN_BOX };

struct layout; /* layout.h has the layouts and backings, kernel.h the kernels */
struct backing;
struct kernel;

struct point {
    uint64_t pages;           /* nodes of the chain; of one window in `box` */
    uint64_t targets, others; /* in `set`: whose sum is `pages`, or a part of it (rounds); else 0 */
    uint64_t chains;          /* independent ones, which share the nodes; 0: one */
    uint64_t spacing;         /* bytes between nodes; in `set` between targets */
    uint64_t page_bytes;      /* the real page that backs them */
    uint64_t sample;          /* number of the sample at this point, from 0 */
    uint64_t buffer; /* bytes of the whole buffer in `box` (metadata buffer_bytes), else 0 */
    bool one_window; /* `page` lies on the same pages always; never in a table */
    const struct layout *layout;
    const struct backing *backing;
    const struct kernel *kernel;
    enum role role;
    enum chain_mode chain;
};

struct sample {
    struct point point;
    double ns;                           /* per access */
    double loads;                        /* accesses timed; NaN when not known */
    double run_s;                        /* how long this sample took */
    double t_s;                          /* since the start of the run */
    double faults, switches, migrations; /* during the timing; NaN where not counted */
    double refs, proc_s, sum; /* of the printed lab's kernels, as it prints them; else NaN */
    const char *backed; /* whether its memory has the backing that was asked for, as outcome.h says
                           it; NULL: not told */
    const char *locked; /* the same of locking it */
};

/* A list of points that grows; at is to be freed. */
struct points {
    struct point *at;
    size_t count, room;
};
void points_append(struct points *points, const struct point *point);

/* Bytes that the nodes span, in `box` those of a window: pages × spacing. */
double point_span(const struct point *point);

/* Names as they stand in the tables. chain_mode_find() returns -1 for others. */
const char *role_name(enum role role);
const char *chain_mode_name(enum chain_mode mode);
int chain_mode_find(const char *text, size_t length);

/* The columns of samples; those of points are the first of them. */
extern const struct column sample_row_columns[];

/* Reading points and samples: which column of the table is which. */
struct point_reader;
struct point_reader *point_reader_open(struct table *table, bool measured);
void point_reader_close(struct point_reader *reader);

/* The next row as a point (ns and the rest are NaN when the reader was opened with measured false)
 * or as a sample: rows with `-` for ns or pages are skipped. The printed lab's tables are
 * understood: layout `line` where `proc` stands and no layout, spacing from `page size`, ns from
 * proc / references (refs column, or the `total number or references` line in Mi), in proportion
 * (per reference of an unknown number: × 10^9) otherwise. Dies on bad data, naming file, line and
 * column. False at the end. */
bool point_reader_next(struct point_reader *reader, struct sample *sample);

/* The same for the current row alone, in a stream where rows of other kinds stand too: false where
 * it was not measured. *reader is NULL at first, and opened without asking for columns. */
bool point_reader_row(struct point_reader **reader, struct table *table, struct sample *sample);

/* The header and the rows of a points table, and of a samples table; `set` adds targets and
 * others, `chains` themselves; to samples alone `lab` adds refs, proc_s and sum, `counted` faults,
 * switches and migrations, `backed` and `locked` themselves. */
struct sample_columns {
    bool counted;
    bool lab;
    bool set;
    bool chains;
    bool backed;
    bool locked;
};
void points_header(struct sample_columns columns);
void points_write(const struct point *point, struct sample_columns columns);
void samples_header(struct sample_columns columns);
void samples_write(const struct sample *sample, struct sample_columns columns);

#endif
