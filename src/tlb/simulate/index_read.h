/* index_read.h: reads how a structure's index is computed, in column `index` of a machine
 * description: linear, full, hashed, xor1 to xor40, or a list of index bits, such as 0^7,1^8,2^9.
 */
#ifndef TLBLAB_SIMULATE_INDEX_READ_H
#define TLBLAB_SIMULATE_INDEX_READ_H

#include "table/table.h"
#include "tlb/simulate/assoc.h"

/* The column in the current row. */
struct index_column {
    struct table *table;
    int number;
    const char *text;
};

/* Sets the index of a shape, whose entries and ways are known; dies if the column is wrong. */
void index_read(const struct index_column *column, struct assoc_shape *shape);

#endif
