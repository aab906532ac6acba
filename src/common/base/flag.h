/* flag.h: the value of a flag. */
#ifndef TLBLAB_BASE_FLAG_H
#define TLBLAB_BASE_FLAG_H

#include <stdbool.h>

struct flag;

/* Sets the flag's value from its text; false, and no change, for a text that is none. */
bool flag_set(const struct flag *flag, const char *text);

/* The same, but dies for a text that is none. */
void flag_take(const struct flag *flag, const char *text);

#endif
