/* solution_put.h: a solution as a table or as published, and what is to be said of it. */
#ifndef TLBLAB_SLICES_SOLUTION_PUT_H
#define TLBLAB_SLICES_SOLUTION_PUT_H

#include "slices/slice_solve.h"
#include "table/table.h"

/* Says on stderr what is not solved and what would help, and which blocks were not believed. */
void solution_remark(const struct slice_solution *solution);

/* Writes a solved hash. As published, it is written only if it is whole: that form has no place for
 * what is not determined. */
void solution_put_table(const struct slice_solution *solution, const struct table *source);
void solution_put_published(const struct slice_solution *solution);

/* STATUS_DONE for a whole hash that all blocks agree with, else STATUS_PARTIAL. */
int solution_status(const struct slice_solution *solution);

#endif
