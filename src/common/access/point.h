/* point.h: the rows of the points and samples tables. A point is a size with its layout, spacing,
 * pages and so on; a row of the points table asks for one sample of it, and a row of the samples
 * table has what was measured. */
#ifndef TLBLAB_ACCESS_POINT_H
#define TLBLAB_ACCESS_POINT_H

#include "table/row.h"
#include "table/table.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The purpose of a point. A moment (tlb/laps/moment.h) has few targets, which fit; the largest
 * number known to fit; the number in question; and so many that all of them miss. */
enum role {
    ROLE_SWEEP,
    ROLE_REFINE,
    ROLE_COMPARISON,
    ROLE_FEW,
    ROLE_CONTROL,
    ROLE_ASKED,
    ROLE_ALL
};

/* How layout `box` orders its windows; the `chain` metadata. */
enum chain_mode { CHAIN_RANDOM_BOX, CHAIN_SAME_RANDOM_IN_BOX, CHAIN_DIFF_RANDOM_IN_BOX };

struct layout; /* layout.h has the layouts and backings, kernel.h the kernels */
struct backing;
struct kernel;

struct point {
    uint64_t pages;           /* nodes of the chain; of one window in `box` */
    uint64_t targets, others; /* in `set`: `pages` is a multiple of their sum (rounds); else 0 */
    uint64_t others_spacing;  /* bytes; the others are at some of its odd multiples from the first
                                 target; 0: on the free pages after it */
    uint64_t moment; /* number of the moment, from 1; 0: of none. If the numbers of a table begin
                        anew, they are read as those after the table before */
    uint64_t touches, decoys; /* of a probe (probe.h); touches 0: no probe */
    double probe;             /* bytes from the last touch to the probe; NaN: the control */
    uint64_t chains;          /* independent chains that share the nodes; 0: one chain */
    uint64_t spacing;         /* bytes between nodes; in `set` between targets */
    uint64_t page_bytes;      /* size of the pages that back the nodes */
    uint64_t sample;          /* number of the sample at this point, from 0 */
    uint64_t buffer; /* bytes of the whole buffer in `box` (metadata buffer_bytes), else 0 */
    bool one_place;  /* all samples of `page` use the same pages; not a column */
    const struct layout *layout;
    const struct backing *backing;
    const struct kernel *kernel;
    enum role role;
    enum chain_mode chain;
};

struct sample {
    struct point point;
    double ns;     /* per access */
    double min_ns; /* per access of the fastest run; NaN or 0 when not known */
    double runs;   /* that were timed one by one; NaN when not known */
    double loads;  /* accesses timed; NaN when not known */
    double run_s;  /* seconds that the sample took, chain building included */
    double t_s;    /* since the start of the run */
    double faults, switches, migrations; /* during the timing; NaN where not counted */
    double arithmetic_ns;     /* a card's address arithmetic, not included in ns; NaN elsewhere */
    double refs, proc_s, sum; /* as the printed lab prints them, for its kernels; else NaN */
    const char *backed;       /* outcome of the requested backing (outcome.h); NULL: unknown */
    const char *locked;       /* outcome of mlock(); NULL: not requested, or unknown */
    const char *node;         /* whether its memory is on the requested node; NULL: likewise */
    struct table_row row;     /* where it was read; not a column */
};

/* A list of points that grows; the owner frees `at`. */
struct points {
    struct point *at;
    size_t count;
};
void points_append(struct points *points, const struct point *point);

/* Bytes that the nodes span, in `box` the nodes of a window: pages × spacing. */
double point_span(const struct point *point);

/* Why no machine can measure the point, or NULL: the rules of refuse.c. The text begins with the
 * wrong column and its value ("spacing 12: nodes hold pointers, …"), so prefixing "--" names the
 * option. It is valid until the next call. */
const char *point_refuses(const struct point *point);

/* The same for a backing and a page size: huge pages are larger than the base page, pages of other
 * backings are base pages. */
const char *backing_refuses(const struct backing *backing, uint64_t page_bytes,
                            uint64_t base_page_bytes);

/* Names in the tables, by role and by chain mode; NULL ends the list. */
extern const char *const role_names[], *const chain_names[];
int chain_mode_find(const char *name); /* -1 for another name, or NULL */

/* The columns of a sample; the columns of a point come first. */
extern const struct column sample_row_columns[];

struct point_reader;
struct point_reader *point_reader_open(struct table *table, bool measured);
void point_reader_close(struct point_reader *reader);

/* Reads the next row as a sample, or as a point when `measured` was false at opening: ns and the
 * other measured members are NaN then. Skips rows with `-` for pages or ns. Understands the printed
 * lab's tables: a table with `proc` and no `layout` has layout `line`, the spacing comes from
 * metadata `page size`, and ns is proc × 10^9 / references (column refs, or the metadata line
 * `total number or references` in Mi; 1 when unknown). Dies on bad data with file, line and column.
 * False at the end. */
bool point_reader_next(struct point_reader *reader, struct sample *sample);

/* Reads the current row of a stream that may hold rows of other tables. False for a row that was
 * not measured. *reader is NULL before the first call, which opens it and requires no column. */
bool point_reader_row(struct point_reader **reader, struct table *table, struct sample *sample);

/* The optional columns, as bits. */
enum {
    SAMPLE_MEASURED = 1, /* those of every sample; samples_header() and samples_write() add it */
    SAMPLE_CHAINS = 2,
    SAMPLE_SET = 4,     /* targets and others */
    SAMPLE_COUNTED = 8, /* faults, switches and migrations */
    SAMPLE_LAB = 16,    /* refs, proc_s and sum */
    SAMPLE_BACKED = 32,
    SAMPLE_LOCKED = 64,
    SAMPLE_NODE = 128,
    SAMPLE_PROBE = 256,   /* of points: touches, decoys and the probe's distance */
    SAMPLE_CARD = 512,    /* arithmetic_ns */
    SAMPLE_MOMENT = 1024, /* of points: moment and others_spacing_bytes */
};

/* Write the header and the rows of a points table and of a samples table. A sample's row is flushed
 * at once: it is on disk before the next sample starts. */
void points_header(unsigned columns);
void points_write(const struct point *point, unsigned columns);
void samples_header(unsigned columns);
void samples_write(const struct sample *sample, unsigned columns);

#endif
