/* beside.h: files that belong to a program and lie in places relative to its folder. */
#ifndef TLBLAB_BASE_BESIDE_H
#define TLBLAB_BASE_BESIDE_H

/* The first of these places, a NULL at their end, that can be read, such as "/../lib/tlblab/x.so";
 * dies where none can. The path is valid until the next call. */
const char *beside_find(const char *const *places);

#endif
