/* cost_row.c: the rows of the costs table. */
#include "trace/saving/cost_row.h"

const char *const cost_page_names[] = {"4K", "2M", NULL};
static const char *const clock_names[] = {"wall", "user", NULL};

#define MEMBER(name) offsetof(struct cost_row, name)
const struct column cost_columns[] = {
    COLUMN(WORD, "pages", MEMBER(pages), COLUMN_LIST(cost_page_names)),
    COLUMN(COUNT, "run", MEMBER(run)),
    COLUMN(NUMBER, "seconds", MEMBER(seconds), .per_unit = 1e6),
    COLUMN(NUMBER, "user_s", MEMBER(user_s), .per_unit = 1e6, .view = COLUMN_IF_ROOM),
    COLUMN(NUMBER, "system_s", MEMBER(system_s), .per_unit = 1e6, .view = COLUMN_HIDDEN),
    COLUMN(WORD, "clock", MEMBER(clock), COLUMN_LIST(clock_names)),
    COLUMN(NUMBER, "saving_percent", MEMBER(saving_percent), .per_unit = 100),
    COLUMN(NUMBER, "low_percent", MEMBER(low_percent), .per_unit = 100),
    COLUMN(NUMBER, "high_percent", MEMBER(high_percent), .per_unit = 100),
    COLUMN(TEXT, "verdict", MEMBER(verdict)),
    COLUMN(TEXT, "backing", MEMBER(backing), .view = COLUMN_HIDDEN),
    COLUMN(NUMBER, "dtlb_misses", MEMBER(dtlb_misses), .per_unit = 1, .view = COLUMN_HIDDEN),
    COLUMN(NUMBER, "walk_cycles", MEMBER(walk_cycles), .per_unit = 1, .view = COLUMN_HIDDEN),
    COLUMN(NUMBER, "relative_error", MEMBER(relative_error), .per_unit = 1e6,
           .view = COLUMN_HIDDEN),
    {0},
};
