/* tables.h: what the commands of slicehash write. Those of predict, check, conflicts and traffic
 * begin a table and return the exit status. */
#ifndef TLBLAB_ANSWERS_TABLES_H
#define TLBLAB_ANSWERS_TABLES_H

#include "base/range.h"
#include "slices/answers/conflicts.h"
#include "slices/maps/map_make.h"
#include "slices/solve/slice_solve.h"
#include "table/table.h"

/* ---- solve (solution_put.c) ---- */

/* Says on stderr what is not solved, what would help, and which blocks contradict the others. */
void solution_remark(const struct slice_solution *solution);

/* Write a solved hash. The published form has no place for what is not determined, so only a whole
 * hash is written in it. */
void solution_put_table(const struct slice_solution *solution, const struct table *source);
void solution_put_published(const struct slice_solution *solution);

/* STATUS_DONE for a whole hash that all blocks agree with, else STATUS_PARTIAL. */
int solution_status(const struct slice_solution *solution);

/* ---- predict and check (prediction_tables.c) ---- */

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

/* ---- conflicts and traffic (conflict_tables.c) ---- */

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
