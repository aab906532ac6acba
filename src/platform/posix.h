/* posix.h: functions that linux.c and darwin.c share. Private to src/platform/. */
#ifndef TLBLAB_POSIX_H
#define TLBLAB_POSIX_H

#include "platform.h"
#include <stddef.h>

/* Maps private memory at a multiple of `align` bytes, or of a page if address space is tight; NULL
 * if the system refuses. */
void *posix_map(size_t bytes, size_t align);

/* platform_counts() from getrusage(who) for a caller that now runs on core `cpu` (-1: unknown).
 * Cheap, because every sample calls it twice. A migration is a different core than at the last
 * call, so moving away and back between two calls is missed. */
bool posix_counts(int who, int cpu, struct platform_counts *counts);

#endif
