/* rate_row.h: the rows of the rates table. */
#ifndef TLBLAB_STREAMS_RATE_ROW_H
#define TLBLAB_STREAMS_RATE_ROW_H

#include "table/row.h"

/* A row; NaN and NULL ("" in a row that was read) stand for a missing value. */
struct rate_row {
    const char *op;
    double bytes; /* of the whole working set */
    double spacing, threads, delay_ns, sample;
    double gb_per_s, ns;
    double peak_percent; /* gb_per_s, of the memory's theoretical peak */
    const char *kernel;
    double run_s, t_s;
    const char *huge; /* whether its memory lies on huge pages: outcome_text() */
    const char *node; /* whether it lies on the node asked for, likewise; NULL: none was */
    struct note note; /* of a card */
};
extern const struct column rate_columns[];

/* Columns that are written where the peak is known, and for a card. */
enum { RATE_PEAK = 1, RATE_CARD = 2 };

#endif
