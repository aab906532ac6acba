/* causes.h: why a TLB level was not detected. */
#ifndef TLBLAB_REPORT_CAUSES_H
#define TLBLAB_REPORT_CAUSES_H

#include "report/run_tables.h"

/* Entries of the first level of the data TLB for small pages, or 0. */
double report_first_level(const struct run_tables *run);

/* Prints that a level was not detected, the usual causes that the samples show, and the command
 * that prints the samples' medians. */
void report_causes(const struct run_tables *run);

#endif
