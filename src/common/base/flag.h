/* flag.h: the values of flags, and which need or exclude which. A rule is a list of conditions with
 * blanks between:
 *
 *     "latency"        the flag --latency is given
 *     "by=page,group"  the value of --by, also its default, is or contains one of these
 *     "FILE"           an operand is given; by any name of capitals
 */
#ifndef TLBLAB_BASE_FLAG_H
#define TLBLAB_BASE_FLAG_H

#include <stdbool.h>

struct flag;

/* Sets the flag's value from its text; false, and no change, for a text that is none. */
bool flag_set(const struct flag *flag, const char *text);

/* The same, but dies for a text that is none. */
void flag_take(const struct flag *flag, const char *text);

/* A command line. */
struct given {
    const struct flag *flags;
    const char *const *texts; /* value of each flag, or NULL where it was not given */
    int operands;
};

/* Dies for a flag without what it needs, or with what it excludes. */
void flags_check(const struct given *given);

/* The rules of a flag as --help shows them: "; needs --by page or group; not with --huge". The
 * caller frees the text. */
char *flag_rules(const struct flag *flag);

#endif
