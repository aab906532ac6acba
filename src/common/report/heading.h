/* heading.h: the head of the report: the machine, the run, and what samples there are. */
#ifndef TLBLAB_REPORT_HEADING_H
#define TLBLAB_REPORT_HEADING_H

#include "report/run_tables.h"

void report_heading(const struct run_tables *run);

#endif
