/* code.h: nodes of machine code, for the kernel `code`.
 *
 * A node loads the address of the next node from a sequence, advances in it and jumps there. The
 * sequence concatenates many different random orders of the nodes: along a chain that repeats, the
 * branch predictor would run ahead and hide the misses of the instruction TLB. Control returns
 * after every piece of the sequence, so a long one can be timed in short runs. */
#ifndef TLBLAB_ACCESS_CODE_H
#define TLBLAB_ACCESS_CODE_H

#include "access/kernel.h"
#include "access/point.h"
#include "base/random.h"
#include <stdint.h>

/* Dies when the system forbids executable memory. */
void code_check(void);

/* Writes the point's nodes to the memory and makes it executable. Dies when the system forbids
 * that.
 */
void code_place(char *memory, uint64_t bytes, const struct point *point, uint64_t line_bytes);

/* The sequence, and the code that enters and leaves the nodes. */
struct code;

/* Makes a sequence of about work->loads nodes, at least 2 rounds over all of them (a kernel
 * repeats it for more loads), in pieces of about work->piece nodes (0: one piece), which are also
 * whole rounds. Sets the start, piece and enter of the work. *code is NULL before the first call.
 * `next` has room for the point's nodes. */
void code_sequence(struct code **code, struct kernel_work *work, const struct point *point,
                   char *memory, uint64_t line_bytes, uint32_t *next, struct random *random);
void code_free(struct code *code);

#endif
