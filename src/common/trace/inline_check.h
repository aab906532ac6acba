/* inline_check.h: makes the calls that gcc -fsanitize=thread leaves in assembly rare: in place of
 * each the program checks by itself whether the access is to the page that it accessed just now,
 * and calls the runtime only if not. */
#ifndef TLBLAB_TRACE_INLINE_CHECK_H
#define TLBLAB_TRACE_INLINE_CHECK_H

#include <stdio.h>

/* Copies assembly of x86-64 (AT&T syntax, as gcc writes it) from the file NAME ("-": stdin). What
 * it does not know it copies as it is. Dies where the file cannot be opened or read. */
void inline_checks(const char *name, FILE *out);

#endif
