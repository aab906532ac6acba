/* prefetchers.h: the section of the report on prefetchers. */
#ifndef TLBLAB_REPORT_PREFETCHERS_H
#define TLBLAB_REPORT_PREFETCHERS_H

#include "report/run_tables.h"

/* Prints a line for each row of method prefetch, under a title; nothing without such rows. */
void report_prefetchers(const struct run_tables *run);

#endif
