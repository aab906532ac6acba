/* print.h: samples in, the points still worth measuring out, as a table. */
#ifndef TLBLAB_PLAN_PRINT_H
#define TLBLAB_PLAN_PRINT_H

/* Does everything that plan(1) does: reads the samples of these files (count 0: no
 * samples) and prints the points that plan_choose() and plan_next() find. Returns the exit status.
 */
int plan_print(char *const *files, int count);

#endif
