/* levels.h: the latency table in sentences. */
#ifndef TLBLAB_REPORT_LEVELS_H
#define TLBLAB_REPORT_LEVELS_H

#include "report/run_tables.h"

/* Says how long an access takes in each level, and what it waits for; nothing where there are no
 * such rows. */
void report_levels(const struct run_tables *run);

#endif
