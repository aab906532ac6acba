/* line.h: how long a cache's lines are, in sentences. */
#ifndef TLBLAB_REPORT_LINE_H
#define TLBLAB_REPORT_LINE_H

#include "report/run_tables.h"
#include <stdbool.h>

/* Whether a boundary is a line (detect --method line), which has no entries. */
bool report_is_line(const struct boundary *row);

/* Whether method line alone was asked, which looks for no level of a TLB and no cache. */
bool report_is_lines_alone(const struct run_tables *run);

/* Says of each line that was found how long it is, and what is fetched together. */
void report_lines(const struct run_tables *run);

#endif
