/* rate_row.h: the rows of the rates table. */
#ifndef TLBLAB_STREAMS_RATE_ROW_H
#define TLBLAB_STREAMS_RATE_ROW_H

#include "table/row.h"

/* A row; NaN and NULL ("" in a row that was read) mean a missing value. */
struct rate_row {
    const char *op;
    double bytes; /* of the whole working set */
    double spacing, threads, delay_ns, sample;
    double gb_per_s, ns;
    double peak_percent; /* gb_per_s as a percentage of the memory's theoretical peak */
    const char *kernel;
    double run_s, t_s;
    const char *huge; /* whether its memory is on huge pages: outcome_text() */
    const char *node; /* likewise, whether it is on the requested node; NULL: none was requested */
    struct note note; /* of a card */
};
extern const struct column rate_columns[];

/* Columns written only if the peak is known, and for a card. */
enum { RATE_PEAK = 1, RATE_CARD = 2 };

#endif
