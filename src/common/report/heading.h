/* heading.h: the head of the report: machine, run and samples. */
#ifndef TLBLAB_REPORT_HEADING_H
#define TLBLAB_REPORT_HEADING_H

#include "report/run_tables.h"

void report_heading(const struct run_tables *run);

#endif
