/* fact_row.h: the rows of the machine table: claims with their sources. */
#ifndef TLBLAB_MACHINE_FACT_ROW_H
#define TLBLAB_MACHINE_FACT_ROW_H

#include "machine/facts.h"
#include <stdint.h>

struct fact_row {
    uint64_t device;
    const char *key, *value, *unit, *source;
    int used;
};

/* Option of the columns: claims of several devices. */
enum { FACT_DEVICE = 1 };

/* Write the header, and a claim. Where people read the table, a value has its unit. */
void facts_put_header(unsigned options);
void fact_put(struct fact_row row, unsigned options);

/* Writes the header and all facts, of this or another machine. */
void facts_put(const struct facts *facts);

#endif
