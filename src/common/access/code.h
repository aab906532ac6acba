/* code.h: nodes of machine code, for the kernel `code`.
 *
 * A node loads the address of the next one from a sequence, steps on in it and jumps there. The
 * sequence is many random orders of the nodes, one after the other, each another one: along a chain
 * that repeats, the branch predictor would run ahead, and hide what the instruction TLB misses. */
#ifndef TLBLAB_ACCESS_CODE_H
#define TLBLAB_ACCESS_CODE_H

#include "access/kernel.h"
#include "access/point.h"
#include "base/random.h"
#include <stdint.h>

/* Dies where the system lets no memory be executed. */
void code_check(void);

/* Writes a node to each of the point's places in the memory and makes that executable. Dies where
 * the system forbids it. */
void code_place(char *memory, uint64_t bytes, const struct point *point, uint64_t line_bytes);

/* How a run enters and leaves its nodes, and the sequence. NULL to start with. */
struct code;

/* Makes a sequence of about `loads` nodes (of 2 rounds over all of them at least; a run repeats it
 * for more) and fills in the work: start, length, enter. `next` has room for the point's nodes. */
void code_sequence(struct code **code, struct kernel_work *work, const struct point *point,
                   char *memory, uint64_t line_bytes, uint32_t *next, struct random *random);
void code_free(struct code *code);

#endif
