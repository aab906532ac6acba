/* tables.h: the output of slicehash's commands. The functions for predict, check, conflicts,
 * choose and traffic begin a table and return the exit status. */
#ifndef TLBLAB_ANSWERS_TABLES_H
#define TLBLAB_ANSWERS_TABLES_H

#include "base/number.h"
#include "slices/hash/slice_hash.h"
#include "slices/maps/slice_maps.h"
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

/* The slice of each address in a table, or of each line of these blocks of 2^block_bits lines;
 * STATUS_PARTIAL if the hash does not apply to one. */
int predictions_put_rows(const struct slice_hash *hash, struct table *table);
int predictions_put_maps(const struct slice_hash *hash, const uint64_t *blocks, size_t count,
                         unsigned block_bits, uint64_t seed);

/* The lines of the maps that disagree with the hash. STATUS_PARTIAL if any does, or could not be
 * compared. `table` (may be NULL) gives the metadata. */
int predictions_put_wrong(const struct slice_hash *hash, const struct slice_maps *maps,
                          const struct table *table);

/* ---- conflicts and choose (conflicts.c) ---- */

/* Memory of `bytes` at consecutive virtual addresses on pages of page_bytes, in a structure that
 * every slice has; address bits from 6 up select one of its `sets`, a power of two. */
struct conflict_memory {
    const struct slice_hash *hash;
    uint64_t sets, ways;
    uint64_t bytes, page_bytes;
};

/* The sets filled by the addresses in a table. STATUS_PARTIAL if the hash does not apply to one. */
int conflicts_put_rows(const struct conflict_memory *memory, struct table *table);

/* A row for each draw of random pages. */
int conflicts_put_draws(const struct conflict_memory *memory, uint64_t draws, uint64_t seed,
                        unsigned top_bit);

/* A row for each physical address at which the memory may begin, on contiguous frames. */
int conflicts_put_offsets(const struct conflict_memory *memory, const struct range *offsets);

/* Which of the pages with addresses in a table the memory should use, chosen one after another so
 * that they overflow as little as possible; ties go to the page whose sets hold the fewest other
 * lines. Each with the overflow of it and those before. */
int conflicts_put_choice(const struct conflict_memory *memory, struct table *table);

/* ---- traffic (traffic.c) ---- */

/* Lines and bytes per slice for a table with the column paddr and, optionally, bytes (default: a
 * line) and core. With a grid, the bytes on each link instead, moving from the slice to the core,
 * or without cores to all cores equally. */
int traffic_put(const struct slice_hash *hash, struct table *table, const char *grid);

#endif
