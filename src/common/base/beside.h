/* beside.h: files installed alongside a program, at paths relative to its folder. */
#ifndef TLBLAB_BASE_BESIDE_H
#define TLBLAB_BASE_BESIDE_H

/* The first readable one of these paths, such as "/../../lib/tlblab/x.so" (the list ends with
 * NULL); dies if there is none. The path is valid until the next call. */
const char *beside_find(const char *const *places);

#endif
