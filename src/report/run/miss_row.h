/* miss_row.h: the rows of the tables that misses(1) writes: those of a trace, and what has changed
 * since another one. */
#ifndef TLBLAB_RUN_MISS_ROW_H
#define TLBLAB_RUN_MISS_ROW_H

#include "table/row.h"

/* Each kind of table lacks the numbers of the other, which are NaN. */
struct miss_row {
    /* The owner of the misses; "" where they are not grouped by it. */
    const char *object, *function, *line, *page, *thread, *phase, *group, *permission;
    double misses, seconds;
    double before, after;
    unsigned long table; /* table_head() */
};
extern const struct column miss_columns[];

/* The grouping of a row's misses: "object". With object and function the text has both,
 * "object: function"; the name is that of the first one. */
enum { MISS_TEXT_ROOM = 512 }; /* [bound] */
const char *miss_row_group(const struct miss_row *row, char text[MISS_TEXT_ROOM]);

#endif
