/* penalties.h: the cost of page walks in the report. */
#ifndef TLBLAB_REPORT_PENALTIES_H
#define TLBLAB_REPORT_PENALTIES_H

#include "report/run_tables.h"

/* Prints what a miss of each TLB level costs, or that no penalty is known. */
void report_walk(const struct run_tables *run);

/* Prints the cost of walks through new entries in one level of the page table, in two, and so on;
 * nothing without such rows. */
void report_depths(const struct run_tables *run);

#endif
