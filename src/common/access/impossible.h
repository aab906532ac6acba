/* impossible.h: samples that no machine can have measured. */
#ifndef TLBLAB_ACCESS_IMPOSSIBLE_H
#define TLBLAB_ACCESS_IMPOSSIBLE_H

#include "access/series.h"
#include "table/table.h"

/* Sorts the series and removes samples of chains that took no time, or less than half of the hits
 * beside them: of the fastest other sample of their size and of the two smaller sizes of their
 * curve. Their rows, which the table has read, are left out (table_warn()). Probes are not
 * judged: they may hit or miss. */
void impossible_remove(struct series *series, struct table *table);

#endif
