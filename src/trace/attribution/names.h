/* names.h: names as people read them: of objects, and of functions of C++. */
#ifndef TLBLAB_ATTRIBUTION_NAMES_H
#define TLBLAB_ATTRIBUTION_NAMES_H

#include <stdbool.h>
#include <stddef.h>

/* Takes the arguments of templates out: "std::vector<int>::resize" becomes "std::vector::resize".
 */
void object_shorten(char *name);

/* Whether a list with commas names the label of an object (attribution.h): by the label, of a block
 * by its short name, or by a function or FILE:LINE anywhere in its stack; "all" names all. */
bool object_is_named(const char *list, const char *label);

/* The name of a function without its parameters, and of a template without the type that it
 * returns: "_ZN4tree6insertEi" becomes "tree::insert". Other names stay as they are. */
void demangle(const char *symbol, char *name, size_t room);

#endif
