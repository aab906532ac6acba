/* inline_check.h: makes the calls that gcc -fsanitize=thread leaves in assembly rare: in place of
 * each the program checks by itself whether the page is the one that this site found last, notes
 * the access there, and calls the runtime only if not (ring.h). */
#ifndef TLBLAB_FORMAT_INLINE_CHECK_H
#define TLBLAB_FORMAT_INLINE_CHECK_H

#include <stdio.h>

/* Copies assembly of x86-64 (AT&T syntax, as gcc writes it) from the file NAME ("-": stdin). What
 * it does not know it copies as it is. Dies where the file cannot be opened or read. */
void inline_checks(const char *name, FILE *out);

#endif
