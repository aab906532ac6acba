/* demangle.h: names of C++ as they are in the source. */
#ifndef TLBLAB_ATTRIBUTION_DEMANGLE_H
#define TLBLAB_ATTRIBUTION_DEMANGLE_H

#include <stddef.h>

/* The name of a function without its parameters, and of a template without the type that it
 * returns: "_ZN4tree6insertEi" becomes "tree::insert". Other names stay as they are. */
void demangle(const char *symbol, char *name, size_t room);

#endif
