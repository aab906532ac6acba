/* posix.h: what linux.c and darwin.c share. Private to src/platform/. */
#ifndef TLBLAB_POSIX_H
#define TLBLAB_POSIX_H

#include <stddef.h>

/* Fresh private memory at a multiple of `align` bytes, or of a page where address space is too
 * short for that; NULL where the system refuses. */
void *posix_map(size_t bytes, size_t align);

#endif
