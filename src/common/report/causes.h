/* causes.h: why a TLB level was not detected. */
#ifndef TLBLAB_REPORT_CAUSES_H
#define TLBLAB_REPORT_CAUSES_H

#include "report/run_tables.h"

/* Entries of the first level of the data TLB for small pages, or 0. */
double report_first_level(const struct run_tables *run);

/* Says that a level was not detected, which of the usual causes show in the samples, and how to
 * look at them. */
void report_causes(const struct run_tables *run);

#endif
