/* object_names.h: the names of objects: short ones, and lists of them, as --huge takes them. */
#ifndef TLBLAB_ATTRIBUTION_OBJECT_NAMES_H
#define TLBLAB_ATTRIBUTION_OBJECT_NAMES_H

#include <stdbool.h>

/* Takes the arguments of templates out: "std::vector<int>::resize" becomes "std::vector::resize".
 */
void object_shorten(char *name);

/* Whether a list with commas names the label of an object (attribution.h): by the label, of a block
 * by its short name, or by a function or FILE:LINE anywhere in its stack; "all" names all. */
bool object_is_named(const char *list, const char *label);

#endif
