/* explain.h: how method `control` reaches its answer, as a table: the points of the curve with the
 * fit through them, and the kinds tried for each level, best first. */
#ifndef TLBLAB_DETECT_EXPLAIN_H
#define TLBLAB_DETECT_EXPLAIN_H

#include "table/row.h"
#include "tlb/detect/control.h"
#include <stddef.h>

extern const struct column explain_columns[];

/* Fits the levels and writes the rows; returns the number of levels. */
size_t explain_write(const struct control *control);

#endif
