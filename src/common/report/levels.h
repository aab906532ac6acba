/* levels.h: the section of the report on latencies. */
#ifndef TLBLAB_REPORT_LEVELS_H
#define TLBLAB_REPORT_LEVELS_H

#include "report/run_tables.h"

/* Prints the time of an access in each cache and in memory; nothing without such rows. */
void report_levels(const struct run_tables *run);

#endif
