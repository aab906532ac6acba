/* prediction_tables.c: the tables of slicehash predict and check. */
#include "base/args.h"
#include "base/error.h"
#include "slices/answers/tables.h"
#include "slices/hash/hash_file.h"

static const char map_columns[] = "paddr\tslice";

/* Writes the row of a line. */
static int put_line(const struct slice_hash *hash, uint64_t paddr)
{
    int slice = slice_of(hash, paddr);
    paddr_put(paddr, '\t');
    if (slice < 0) {
        put_text(NULL, '\n');
        return STATUS_PARTIAL;
    }
    put_count((uint64_t)slice, '\n');
    return STATUS_DONE;
}

int predictions_put_rows(const struct slice_hash *hash, struct table *table)
{
    int paddr = table_column(table, "paddr"), status = STATUS_DONE;
    table_begin(table);
    table_require(table, paddr);
    table_put_header(map_columns);
    while (table_next(table))
        status |= put_line(hash, paddr_read(table, paddr));
    return table_partial(table) ? STATUS_PARTIAL : status;
}

int predictions_put_maps(const struct slice_hash *hash, const uint64_t *blocks, size_t count,
                         unsigned block_bits, uint64_t seed)
{
    int status = STATUS_DONE;
    table_begin(NULL);
    table_put_meta("seed", "%llu", (unsigned long long)seed);
    table_put_header(map_columns);
    for (size_t k = 0; k < count; k++)
        for (uint64_t i = 0; i < (uint64_t)1 << block_bits; i++)
            status |= put_line(hash, blocks[k] + (i << LINE_BITS));
    return status;
}

/* Writes the line if its slice is not the expected one; returns whether it is. */
static bool is_right(uint64_t paddr, int slice, int expected)
{
    if (slice == expected)
        return true;
    paddr_put(paddr, '\t');
    put_count((uint64_t)slice, '\t');
    put_count((uint64_t)expected, '\n');
    return false;
}

int predictions_put_wrong(const struct slice_hash *hash, const struct slice_maps *maps,
                          const struct table *table)
{
    size_t compared = 0, wrong = 0, lines = (size_t)1 << maps->block_bits;
    if (maps->paddr_bits < ADDRESS_BITS_MAX)
        die("the high bits of the addresses are unknown: nothing to compare");
    table_begin(table);
    table_put_header("paddr\tslice\texpected");
    for (size_t k = 0; k < maps->count; k++)
        for (size_t i = 0; i < lines; i++) {
            uint64_t at = maps->address[k] + ((uint64_t)i << LINE_BITS);
            signed char slice = slice_maps_block(maps, k)[i];
            int expected = slice_of(hash, at);
            if (slice < 0 || expected < 0)
                continue;
            compared++;
            wrong += !is_right(at, slice, expected);
        }
    if (compared < maps->lines)
        warn("%zu lines were not compared: the hash does not apply to their addresses",
             maps->lines - compared);
    if (!args_quiet)
        warn("%zu of %zu lines disagree", wrong, compared);
    return wrong > 0 || compared < maps->lines || compared == 0 ? STATUS_PARTIAL : STATUS_DONE;
}
