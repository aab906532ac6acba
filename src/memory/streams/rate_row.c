/* rate_row.c: the rows of the rates table. */
#include "memory/streams/rate_row.h"

const struct column rate_columns[] = {
    COLUMN(TEXT, "op", offsetof(struct rate_row, op), .needed = true),
    COLUMN(NUMBER, "bytes", offsetof(struct rate_row, bytes)),
    COLUMN(NUMBER, "spacing_bytes", offsetof(struct rate_row, spacing), .view = COLUMN_IF_ROOM),
    COLUMN(NUMBER, "threads", offsetof(struct rate_row, threads)),
    COLUMN(NUMBER, "delay_ns", offsetof(struct rate_row, delay_ns)),
    COLUMN(NUMBER, "sample", offsetof(struct rate_row, sample), .view = COLUMN_HIDDEN),
    COLUMN(NUMBER, "gb_per_s", offsetof(struct rate_row, gb_per_s)),
    COLUMN(NUMBER, "ns", offsetof(struct rate_row, ns)),
    COLUMN(TEXT, "kernel", offsetof(struct rate_row, kernel), .view = COLUMN_IF_ROOM),
    COLUMN(NUMBER, "run_s", offsetof(struct rate_row, run_s), .view = COLUMN_HIDDEN),
    COLUMN(NUMBER, "t_s", offsetof(struct rate_row, t_s), .view = COLUMN_HIDDEN),
    COLUMN(TEXT, "huge", offsetof(struct rate_row, huge), .view = COLUMN_HIDDEN),
    COLUMN(TEXT, "node", offsetof(struct rate_row, node), .view = COLUMN_HIDDEN),
    COLUMN(NUMBER, "peak_percent", offsetof(struct rate_row, peak_percent), .option = RATE_PEAK,
           .per_unit = 10),
    COLUMN(NOTE, "note", offsetof(struct rate_row, note), .option = RATE_CARD),
    {0},
};
