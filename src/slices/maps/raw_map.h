/* raw_map.h: binary maps as Map_Addresses_to_L3_Slices (McCalpin) writes them: a file
 * PADDR_0x%.12lx.map for each page of 2 MiB, 32768 signed bytes, where byte i is the slice of the
 * line at the page's address + 64 i, or -1 if unknown. */
#ifndef TLBLAB_MAPS_RAW_MAP_H
#define TLBLAB_MAPS_RAW_MAP_H

#include "slices/maps/slice_maps.h"
#include <stdbool.h>
#include <stdint.h>

/* [physics: a page of 2 MiB] */
enum { RAW_MAP_LINES = 1 << PAGE_LINES_BITS, RAW_MAP_BYTES = RAW_MAP_LINES << LINE_BITS };

/* Reads all maps in a folder. Returns how many files with such a name cannot be read or have the
 * wrong size, after a warning for each. Dies if the folder cannot be read. */
size_t raw_maps_read(const char *folder, struct slice_lines *lines);

/* Reads the map of a page. False if there is none, or it is unreadable or has the wrong size. */
bool raw_map_read(const char *folder, uint64_t paddr, signed char slices[RAW_MAP_LINES]);

/* Writes it to a temporary file and renames that. Dies on failure. */
void raw_map_write(const char *folder, uint64_t paddr, const signed char slices[RAW_MAP_LINES]);

/* Makes the folder if it does not exist; dies on failure. */
void raw_map_folder(const char *folder);

#endif
