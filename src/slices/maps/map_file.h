/* map_file.h: maps in tables, and binary ones as Map_Addresses_to_L3_Slices (McCalpin) writes them:
 * a file PADDR_0x%.12lx.map for each page of 2 MiB, 32768 signed bytes, where byte i is the slice
 * of the line at the page's address + 64 i, or -1 if unknown. */
#ifndef TLBLAB_MAPS_MAP_FILE_H
#define TLBLAB_MAPS_MAP_FILE_H

#include "slices/maps/slice_maps.h"
#include "table/table.h"
#include <stdbool.h>
#include <stdint.h>

/* [physics: a page of 2 MiB] */
enum { RAW_MAP_LINES = 1 << PAGE_LINES_BITS, RAW_MAP_BYTES = RAW_MAP_LINES << LINE_BITS };

/* Reads maps: tables with the columns `paddr` and `slice`, of which slice may be missing ("-", or
 * negative), and folders of binary maps; without operands, a table from stdin. The metadata
 * `paddr_bits` says how many low bits of a table's addresses are physical; the higher bits number
 * the regions of each file. block_bits: of slice_lines_end(). *table is the open table, for its
 * metadata; NULL if there are only folders. *partial: part of the input was left out. Dies for a
 * folder without maps. */
struct slice_maps maps_read(char *const *operands, int count, unsigned block_bits,
                            struct table **table, bool *partial);

/* Reads the map of a page. False if there is none, or it is unreadable or has the wrong size. */
bool raw_map_read(const char *folder, uint64_t paddr, signed char slices[RAW_MAP_LINES]);

/* Writes it to a temporary file and renames that. Dies on failure. */
void raw_map_write(const char *folder, uint64_t paddr, const signed char slices[RAW_MAP_LINES]);

/* Makes the folder if it does not exist; dies on failure. */
void raw_map_make_folder(const char *folder);

#endif
