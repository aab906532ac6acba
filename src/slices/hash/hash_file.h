/* hash_file.h: hashes and physical addresses as text.
 *
 * A hash as a table: columns `kind` (base, mask), `index`, `value`; the value is the slice for a
 * base, a hexadecimal number for a mask. In published form: the base sequence, one slice per line,
 * then the lowest and highest address bit of the masks, and a line of 14 masks, each followed by a
 * blank. */
#ifndef TLBLAB_HASH_HASH_FILE_H
#define TLBLAB_HASH_HASH_FILE_H

#include "slices/hash/slice_hash.h"
#include "table/table.h"

/* Reads a hexadecimal number with 0x or a decimal one, below 2^ADDRESS_BITS_MAX. */
bool paddr_parse(const char *text, size_t length, uint64_t *paddr);

/* The same from a column of the current row; the table must have that column. Dies if the value is
 * missing or not an address. */
uint64_t paddr_read(struct table *table, int column);

/* Writes "0x%012x". */
void paddr_put(uint64_t paddr, char after);

/* Reads a hash in either form from `file` ("-": stdin, a table). Dies if it is in neither form. */
struct slice_hash hash_read(const char *file);

/* Writes metadata lines for the table, then its header and rows. */
void hash_put_meta(const struct slice_hash *hash);
void hash_put_rows(const struct slice_hash *hash);

void hash_put_published(const struct slice_hash *hash);

#endif
