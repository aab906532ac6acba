/* cost_row.h: the rows of the costs table, which tlbcost writes: a row for each run, and at the end
 * one for each clock. */
#ifndef TLBLAB_SAVING_COST_ROW_H
#define TLBLAB_SAVING_COST_ROW_H

#include "table/row.h"
#include <stdint.h>

enum cost_pages { COST_BASE, COST_HUGE, COST_PAGES };

/* A clock whose times are compared. The system's work for page faults is in the wall clock alone:
 * huge pages save that too, but it is no translation. */
enum cost_clock { COST_WALL, COST_USER, COST_CLOCKS };

extern const char *const cost_page_names[];

/* Each kind of row lacks the members of the other (row_clear()). */
struct cost_row {
    int pages;    /* of a run: enum cost_pages, or -1 */
    uint64_t run; /* from 1 */
    double seconds, user_s, system_s;
    int clock; /* of a comparison: enum cost_clock, or -1 */
    double saving_percent, low_percent, high_percent;
    const char *verdict, *backing;
    double dtlb_misses, walk_cycles; /* of a run */
    double relative_error;           /* of a comparison */
};
extern const struct column cost_columns[];

#endif
