/* tables.h: the output of slicehash's commands. The functions for predict, check, conflicts and
 * traffic begin a table and return the exit status. */
#ifndef TLBLAB_ANSWERS_TABLES_H
#define TLBLAB_ANSWERS_TABLES_H

#include "base/range.h"
#include "slices/answers/conflicts.h"
#include "slices/maps/map_make.h"
#include "slices/solve/slice_solve.h"
#include "table/table.h"

/* ---- solve (solution_put.c) ---- */

/* Reports on stderr what is unsolved, what would help, and which blocks contradict the others. */
void solution_remark(const struct slice_solution *solution);

/* Write a solved hash. The published form cannot express undetermined masks, so it is used only for
 * a complete hash. */
void solution_put_table(const struct slice_solution *solution, const struct table *source);
void solution_put_published(const struct slice_solution *solution);

/* STATUS_DONE for a complete hash that all blocks agree with, else STATUS_PARTIAL. */
int solution_status(const struct slice_solution *solution);

/* ---- predict and check (prediction_tables.c) ---- */

/* The slice of each address in a table; STATUS_PARTIAL if the hash does not apply to one. */
int predictions_put_rows(const struct slice_hash *hash, struct table *table);

/* The maps of these blocks of 2^block_bits lines; with a folder, as binary maps (raw_map.h) of
 * whole pages only. */
int predictions_put_maps(const struct slice_hash *hash, const uint64_t *blocks, size_t count,
                         unsigned block_bits, uint64_t seed, const char *folder);

/* The lines of the maps that disagree with the hash. STATUS_PARTIAL if any does, or could not be
 * compared. `table` (may be NULL) gives the metadata. */
int predictions_put_wrong(const struct slice_hash *hash, const struct slice_maps *maps,
                          const struct table *table);

/* ---- conflicts and traffic (conflict_tables.c) ---- */

/* Memory of `bytes` at consecutive virtual addresses. */
struct conflict_memory {
    struct slice_sets of;
    uint64_t bytes, page_bytes;
    const struct slice_hash *hash;
};

/* The sets filled by the addresses in a table, or by memory on these pages. */
int conflicts_put_rows(const struct conflict_memory *memory, struct table *table);
int conflicts_put_pages(const struct conflict_memory *memory, const uint64_t *pages);

/* A row for each draw of random pages; `suggest`: only the draw with the minimum overflow. */
int conflicts_put_draws(const struct conflict_memory *memory, uint64_t draws, uint64_t seed,
                        unsigned top_bit, bool suggest);

/* A row for each physical address at which the memory may begin, on contiguous frames; `suggest`:
 * only the first with the minimum overflow. */
int conflicts_put_offsets(const struct conflict_memory *memory, const struct range *offsets,
                          bool suggest);

/* Which of the given pages the memory should use, in the order chosen, with the overflow of each
 * together with those before it. */
int conflicts_put_choice(const struct conflict_memory *memory, uint64_t *pages, size_t count);

/* Lines and bytes per slice for a table with the column paddr and, optionally, bytes (default: a
 * line) and core. With a grid, the bytes on each link instead, moving from the slice to the core,
 * or without cores to all cores equally. */
int traffic_put(const struct slice_hash *hash, struct table *table, const char *grid);

#endif
