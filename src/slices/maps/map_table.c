/* map_table.c: reads maps from tables and folders. */
#include "slices/maps/map_table.h"
#include "base/error.h"
#include "base/range.h"
#include "slices/hash/paddr.h"
#include "slices/maps/raw_map.h"
#include <stdlib.h>

/* Regions of several files, numbered from 0 in order of appearance. */
struct regions {
    struct region {
        unsigned long head;
        uint64_t number; /* in its file */
    } * at;
    size_t count, last;
};

static uint64_t region_of(struct regions *r, unsigned long head, uint64_t number)
{
    if (r->count > 0 && r->at[r->last].head == head && r->at[r->last].number == number)
        return r->last;
    for (r->last = 0; r->last < r->count; r->last++)
        if (r->at[r->last].head == head && r->at[r->last].number == number)
            return r->last;
    if ((r->count & (r->count - 1)) == 0)
        r->at = reallocate(r->at, r->count > 0 ? 2 * r->count : 1, sizeof *r->at);
    r->at[r->count] = (struct region){head, number};
    return r->count++;
}

/* How many low bits are physical in the current file: all, unless the command line or the metadata
 * say otherwise. */
static unsigned bits_of(const struct table *table, const struct map_source *source, int file)
{
    const char *text = table_meta(table, file, "paddr_bits");
    uint64_t bits = source->paddr_bits > 0 ? source->paddr_bits : size_or(text, ADDRESS_BITS_MAX);
    if (bits < LINE_BITS + 4 || bits > ADDRESS_BITS_MAX)
        die("%s: paddr_bits is %llu: expected %d to %d", table_file_name(table, file),
            (unsigned long long)bits, LINE_BITS + 4, ADDRESS_BITS_MAX);
    return (unsigned)bits;
}

/* The same for all files together, which must agree. */
static unsigned bits_of_all(const struct table *table, const struct map_source *source)
{
    unsigned bits = bits_of(table, source, 0);
    for (int file = 1; file < table_files(table); file++)
        if (bits_of(table, source, file) != bits)
            die("%s: its paddr_bits differ from those of %s", table_file_name(table, file),
                table_file_name(table, 0));
    return bits;
}

/* The slice number in the current row; negative if missing. */
static int slice_read(struct table *table, int column)
{
    double slice;
    if (!table_number(table, column, &slice) || slice == SLICE_MISSING)
        return SLICE_MISSING;
    if (!(slice >= 0 && slice < SLICES_MAX) || slice != (int)slice)
        table_die(table, column, "'%g' is not a slice number from 0 to %d", slice, SLICES_MAX - 1);
    return (int)slice;
}

static void read_rows(struct table *table, unsigned bits, struct slice_lines *lines)
{
    int paddr = table_column(table, "paddr"), slice = table_column(table, "slice");
    struct regions regions = {0};
    table_require(table, paddr);
    table_require(table, slice);
    while (table_next(table)) {
        uint64_t address = paddr_read(table, paddr);
        if (bits < ADDRESS_BITS_MAX) {
            uint64_t region = region_of(&regions, table_head(table), address >> bits);
            address = region << bits | (address & (((uint64_t)1 << bits) - 1));
        }
        slice_lines_put(lines, address, slice_read(table, slice));
    }
    free(regions.at);
}

struct slice_maps map_source_read(const struct map_source *source, struct table **table,
                                  bool *partial)
{
    bool tables = source->count > 0 || source->folder == NULL;
    *table = tables ? table_open(source->files, source->count) : NULL;
    unsigned bits = tables ? bits_of_all(*table, source) : ADDRESS_BITS_MAX;
    if (source->folder != NULL && bits < ADDRESS_BITS_MAX)
        die("%s: raw maps have full addresses, the tables do not", source->folder);
    struct slice_lines *lines = slice_lines_begin(bits);
    if (source->folder != NULL && raw_maps_read(source->folder, lines) > 0)
        *partial = true;
    if (tables)
        read_rows(*table, bits, lines);
    if (tables && table_partial(*table))
        *partial = true;
    struct slice_maps maps = slice_lines_end(lines, source->block_bits);
    if (maps.contradicted > 0)
        warn("%zu lines are given twice with different slices; the last one counts",
             maps.contradicted);
    return maps;
}
