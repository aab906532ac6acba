/* map_table.h: tables with the columns `paddr` and `slice`. */
#ifndef TLBLAB_MAPS_MAP_TABLE_H
#define TLBLAB_MAPS_MAP_TABLE_H

#include "slices/maps/slice_maps.h"
#include "table/table.h"

/* The source of the maps, according to the command line. */
struct map_source {
    char *const *files; /* tables, or none, with `folder` */
    int count;
    const char *folder;  /* raw maps; may be NULL */
    unsigned block_bits; /* of slice_lines_end() */
    uint64_t paddr_bits; /* overrides the metadata; 0: use the metadata */
};

/* Reads all of it. In tables, slice may be missing ("-", or negative). The metadata `paddr_bits`
 * says how many low bits of the addresses are physical; the higher bits number the regions of each
 * file. *table is the open table, for its metadata; NULL if there is only a folder. *partial is set
 * if part of the input was left out. */
struct slice_maps map_source_read(const struct map_source *source, struct table **table,
                                  bool *partial);

#endif
