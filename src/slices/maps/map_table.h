/* map_table.h: tables with the columns `paddr` and `slice`. */
#ifndef TLBLAB_MAPS_MAP_TABLE_H
#define TLBLAB_MAPS_MAP_TABLE_H

#include "slices/maps/slice_maps.h"
#include "table/table.h"

/* Where maps come from, as the command line names it. */
struct map_source {
    char *const *files; /* tables, or none and `folder` */
    int count;
    const char *folder;  /* raw maps; may be NULL */
    unsigned block_bits; /* of slice_lines_end() */
    uint64_t paddr_bits; /* instead of the metadata's; 0: as they have it */
};

/* Reads all of it. Tables: slice may be missing ("-", or below 0). The metadata `paddr_bits` say
 * how many low bits of the addresses are physical; what lies above numbers regions, of each file
 * its own. *table is the open table, for its metadata; NULL where there is only a folder. *partial
 * is set when part of the input was left out. */
struct slice_maps map_source_read(const struct map_source *source, struct table **table,
                                  bool *partial);

#endif
