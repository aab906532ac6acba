/* pair_row.c: the rows of the pairs table. */
#include "memory/cores/pair_row.h"
#include <string.h>

const struct column pair_columns[] = {
    COLUMN(NUMBER, "core_a", offsetof(struct pair_row, core_a), .needed = true),
    COLUMN(NUMBER, "core_b", offsetof(struct pair_row, core_b), .needed = true),
    COLUMN(NUMBER, "sample", offsetof(struct pair_row, sample), .view = COLUMN_IF_ROOM),
    COLUMN(NUMBER, "ns", offsetof(struct pair_row, ns), .per_unit = 1000),
    COLUMN(NUMBER, "min_ns", offsetof(struct pair_row, min_ns), .per_unit = 1000),
    COLUMN(NUMBER, "laps", offsetof(struct pair_row, laps), .view = COLUMN_HIDDEN),
    COLUMN(TEXT, "shares", offsetof(struct pair_row, shares)),
    COLUMN(TEXT, "package", offsetof(struct pair_row, package), .view = COLUMN_HIDDEN),
    COLUMN(TEXT, "node", offsetof(struct pair_row, node), .view = COLUMN_HIDDEN),
    COLUMN(TEXT, "kernel", offsetof(struct pair_row, kernel), .view = COLUMN_HIDDEN),
    COLUMN(TEXT, "pinned", offsetof(struct pair_row, pinned), .view = COLUMN_HIDDEN),
    COLUMN(NUMBER, "run_s", offsetof(struct pair_row, run_s), .view = COLUMN_HIDDEN),
    COLUMN(NUMBER, "t_s", offsetof(struct pair_row, t_s), .view = COLUMN_HIDDEN),
    COLUMN(TEXT, "note", offsetof(struct pair_row, note)),
    {0},
};

const char *const pair_shares[] = {"core", "L1", "L2", "L3", "L4", "package", "machine", NULL};

int pair_shares_find(const char *word)
{
    for (int i = 0; word != NULL && pair_shares[i] != NULL; i++)
        if (strcmp(pair_shares[i], word) == 0)
            return i;
    return -1;
}
