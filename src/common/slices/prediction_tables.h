/* prediction_tables.h: the tables of slicehash predict and check. Each begins a table and returns
 * the exit status. */
#ifndef TLBLAB_SLICES_PREDICTION_TABLES_H
#define TLBLAB_SLICES_PREDICTION_TABLES_H

#include "slices/map_make.h"
#include "slices/slice_maps.h"
#include "table/table.h"

/* The slice of each address in a table; STATUS_PARTIAL where the hash does not hold for one. */
int predictions_put_rows(const struct slice_hash *hash, struct table *table);

/* The maps of these blocks of 2^block_bits lines; with a folder as binary maps (raw_map.h), of
 * whole pages only. */
int predictions_put_maps(const struct slice_hash *hash, const uint64_t *blocks, size_t count,
                         unsigned block_bits, const struct map_flaws *flaws, const char *folder);

/* The lines of the maps that disagree with the hash. STATUS_PARTIAL where one does, or where some
 * or all could not be compared. `table` (may be NULL) gives the metadata. */
int predictions_put_wrong(const struct slice_hash *hash, const struct slice_maps *maps,
                          const struct table *table);

#endif
