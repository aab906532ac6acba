/* code.h: nodes of machine code, for the kernel `code`.
 *
 * Each node is a direct jump to the next one of the chain; the last one counts laps down, jumps to
 * the first one again, and returns after the last lap. A direct jump needs no prediction of its
 * target, so a lap takes few cycles, and a miss of the instruction TLB shows. */
#ifndef TLBLAB_ACCESS_CODE_H
#define TLBLAB_ACCESS_CODE_H

#include "access/kernel.h"
#include "access/point.h"
#include <stdint.h>

/* Dies when the system forbids executable memory. */
void code_check(void);

/* Writes the point's nodes to the memory, in the order of the chain (of each node the next one),
 * and makes it executable. Sets the enter and nodes of the work. Dies when the system forbids that,
 * or if a node is farther away than a jump reaches. */
void code_link(char *memory, const struct point *point, uint64_t line_bytes, const uint32_t *next,
               struct kernel_work *work);

#endif
