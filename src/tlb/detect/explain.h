/* explain.h: how clean laps answer, as a table: a row for each number of targets asked about, with
 * the misses of its laps and how many were clean. */
#ifndef TLBLAB_DETECT_EXPLAIN_H
#define TLBLAB_DETECT_EXPLAIN_H

#include "access/series.h"
#include "table/row.h"
#include <stddef.h>

extern const struct column explain_columns[];

/* Writes the rows of the families of moments from which the answer follows; returns their number.
 */
size_t explain_write(const struct series *series);

#endif
