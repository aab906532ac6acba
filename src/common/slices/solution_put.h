/* solution_put.h: writes a solution as a table or as published, and remarks on it. */
#ifndef TLBLAB_SLICES_SOLUTION_PUT_H
#define TLBLAB_SLICES_SOLUTION_PUT_H

#include "slices/slice_solve.h"
#include "table/table.h"

/* Says on stderr what is not solved, what would help, and which blocks contradict the others. */
void solution_remark(const struct slice_solution *solution);

/* Write a solved hash. The published form has no place for what is not determined, so only a whole
 * hash is written in it. */
void solution_put_table(const struct slice_solution *solution, const struct table *source);
void solution_put_published(const struct slice_solution *solution);

/* STATUS_DONE for a whole hash that all blocks agree with, else STATUS_PARTIAL. */
int solution_status(const struct slice_solution *solution);

#endif
