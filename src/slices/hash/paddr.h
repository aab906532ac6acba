/* paddr.h: physical addresses in tables and on the command line. */
#ifndef TLBLAB_HASH_PADDR_H
#define TLBLAB_HASH_PADDR_H

#include "table/table.h"
#include <stdbool.h>
#include <stdint.h>

/* Reads a hexadecimal number with 0x or a decimal one, below 2^ADDRESS_BITS_MAX. */
bool paddr_parse(const char *text, size_t length, uint64_t *paddr);

/* The same from a column of the current row; the table must have that column. Dies if the value is
 * missing or not an address. */
uint64_t paddr_read(struct table *table, int column);

/* Writes "0x%012x". */
void paddr_put(uint64_t paddr, char after);

#endif
