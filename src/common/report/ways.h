/* ways.h: ways, sets and index of a level in the report, a row of the organisation table. */
#ifndef TLBLAB_REPORT_WAYS_H
#define TLBLAB_REPORT_WAYS_H

#include "report/run_tables.h"

/* Prints sets, ways, index, replacement and inclusion of the row's level. */
void report_ways(const struct organisation *row);

#endif
