/* slices: tables of lines and their slices, and hashes in both forms. */
#include "slices/hash/hash_file.h"
#include "slices/maps/map_file.h"
#include "target.h"
#include <stdlib.h>

static void read_map(void)
{
    struct table *table;
    bool partial;
    struct slice_maps maps = maps_read(NULL, 0, 0, &table, &partial);
    for (size_t i = 1; i < maps.count; i++)
        target_check(maps.address[i - 1] < maps.address[i]);
    slice_maps_free(&maps);
    table_close(table);
}

static void read_hash(void)
{
    struct slice_hash hash = hash_read("-");
    for (uint64_t line = 0; line < 64; line++)
        target_check(slice_of(&hash, line << LINE_BITS) < SLICES_MAX);
    slice_hash_free(&hash);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    target_read(read_map, data, size);
    return target_read(read_hash, data, size);
}
