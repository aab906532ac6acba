/* organisation.h: a row of the organisation table (geometry) in the report. */
#ifndef TLBLAB_REPORT_ORGANISATION_H
#define TLBLAB_REPORT_ORGANISATION_H

#include "report/run_tables.h"

/* Prints sets, ways, index, replacement and inclusion of the row's level. */
void report_organisation(const struct organisation *row);

#endif
