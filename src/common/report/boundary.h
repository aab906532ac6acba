/* boundary.h: a boundary in the report, a row of the boundaries table. */
#ifndef TLBLAB_REPORT_BOUNDARY_H
#define TLBLAB_REPORT_BOUNDARY_H

#include "detect/boundary.h"

/* Prints the boundary's size, claim, confidence and method, and what its notes mean. */
void report_boundary(const struct boundary *row);

#endif
