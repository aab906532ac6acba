/* hash_file.h: reads and writes hashes.
 *
 * As a table: columns `kind` (base, mask), `index`, `value`; the value is the slice for a base, a
 * hexadecimal number for a mask. In published form: the base sequence, one slice per line, then the
 * lowest and highest address bit of the masks, and a line of 14 masks, each followed by a blank. */
#ifndef TLBLAB_HASH_HASH_FILE_H
#define TLBLAB_HASH_HASH_FILE_H

#include "slices/hash/slice_hash.h"

/* Reads a hash in either form from `file` ("-": stdin, a table). Dies if it is in neither form. */
struct slice_hash hash_read(const char *file);

/* Writes metadata lines for the table, then its header and rows. */
void hash_put_meta(const struct slice_hash *hash);
void hash_put_rows(const struct slice_hash *hash);

void hash_put_published(const struct slice_hash *hash);

#endif
