/* conflict_tables.h: the tables of slicehash conflicts and traffic. Each begins a table and returns
 * the exit status. */
#ifndef TLBLAB_SLICES_CONFLICT_TABLES_H
#define TLBLAB_SLICES_CONFLICT_TABLES_H

#include "base/range.h"
#include "slices/conflicts.h"
#include "table/table.h"

/* Memory of `bytes` at consecutive virtual addresses. */
struct conflict_memory {
    struct slice_sets of;
    uint64_t bytes, page_bytes;
    const struct slice_hash *hash;
};

/* Sets with lines, of the addresses in a table, or of memory on these pages. */
int conflicts_put_rows(const struct conflict_memory *memory, struct table *table);
int conflicts_put_pages(const struct conflict_memory *memory, const uint64_t *pages);

/* A row for each draw of random pages; `suggest`: the draw with the least overflow alone. */
int conflicts_put_draws(const struct conflict_memory *memory, uint64_t draws, uint64_t seed,
                        unsigned top_bit, bool suggest);

/* A row for each physical address at which the memory may begin, on contiguous frames; `suggest`:
 * the first of those with the least overflow alone. */
int conflicts_put_offsets(const struct conflict_memory *memory, const struct range *offsets,
                          bool suggest);

/* The pages of those on offer that the memory should have, in the order of the choice, and the
 * overflow of each with those before it. */
int conflicts_put_choice(const struct conflict_memory *memory, uint64_t *pages, size_t count);

/* Lines and bytes of each slice, of a table with the column paddr, and where it has them bytes
 * (else a line) and core. With a grid, the bytes on each link instead: they move from the slice to
 * the core, or of a table without cores to all cores alike. */
int traffic_put(const struct slice_hash *hash, struct table *table, const char *grid);

#endif
