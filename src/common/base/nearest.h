/* nearest.h: the name that somebody meant who mistyped one. */
#ifndef TLBLAB_BASE_NEAREST_H
#define TLBLAB_BASE_NEAREST_H

#include "base/choice.h"

/* The first of the names that are most like a word of so many bytes; NULL where none is: a third of
 * its letters may be wrong, missing, added or swapped. */
const char *nearest(const struct choice *names, const char *word, size_t length);

#endif
