/* posix.h: what linux.c and darwin.c share. Private to src/platform/. */
#ifndef TLBLAB_POSIX_H
#define TLBLAB_POSIX_H

#include "platform.h"
#include <stddef.h>

/* Fresh private memory at a multiple of `align` bytes, or of a page where address space is too
 * short for that; NULL where the system refuses. */
void *posix_map(size_t bytes, size_t align);

/* platform_counts() from getrusage(who), where the caller runs on core `cpu` now (-1: not known).
 * Cheap, as it is called around every sample. Moves to another core are seen by comparing with the
 * core of the last call, so one there and back between two calls is not. */
bool posix_counts(int who, int cpu, struct platform_counts *counts);

#endif
