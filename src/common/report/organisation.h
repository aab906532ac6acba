/* organisation.h: the organisation table (geometry) in sentences. */
#ifndef TLBLAB_REPORT_ORGANISATION_H
#define TLBLAB_REPORT_ORGANISATION_H

#include "report/run_tables.h"

/* Says how the level of a row is organised; what is unknown is called so. */
void report_organisation(const struct organisation *row);

#endif
