/* hash_file.h: reads and writes hashes.
 *
 * As a table: columns `kind` (base, mask), `index`, `value`; a base's value is the slice, a mask's
 * a hexadecimal number. As published: the base sequence, a slice a line, then the lowest and
 * highest address bit of the masks, and a line of 14 masks, each with a blank behind it. */
#ifndef TLBLAB_HASH_HASH_FILE_H
#define TLBLAB_HASH_HASH_FILE_H

#include "slices/hash/slice_hash.h"

/* Reads a hash in either form from `file` ("-": stdin, a table). `masks` is a second published file
 * or NULL: base and masks may stand in one file or in two. Dies for what is neither. */
struct slice_hash hash_read(const char *file, const char *masks);

/* Metadata lines for the table, then its header and rows. */
void hash_put_meta(const struct slice_hash *hash);
void hash_put_rows(const struct slice_hash *hash);

void hash_put_published(const struct slice_hash *hash);

#endif
