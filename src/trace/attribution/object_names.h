/* object_names.h: lists of names of objects, as --huge takes them. */
#ifndef TLBLAB_ATTRIBUTION_OBJECT_NAMES_H
#define TLBLAB_ATTRIBUTION_OBJECT_NAMES_H

#include <stdbool.h>

/* Whether a list with commas names the label of an object (attribution.h): by the label, of a block
 * also by its function or FILE:LINE; "all" names all. */
bool object_is_named(const char *list, const char *label);

#endif
