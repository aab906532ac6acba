/* choice.h: a word that must be the name of an entry of a table: a kernel, a preset, a kind of
 * core. The entries of such a table begin with their name, and a NULL name ends it. */
#ifndef TLBLAB_BASE_CHOICE_H
#define TLBLAB_BASE_CHOICE_H

#include <stdbool.h>
#include <stddef.h>

struct choice {
    const void *table;
    size_t entry_bytes;
    const void *chosen; /* the entry; NULL: none was chosen */
};

/* The initial value of a choice from such a table. */
#define CHOICE_OF(entries)                                                                         \
    {                                                                                              \
        (entries), sizeof *(entries), NULL                                                         \
    }

/* Chooses the entry of that name; false where there is none. */
bool choose(struct choice *choice, const char *name);

/* The names of the table as a list: "page, packed and line". Good until the next call. */
const char *choice_names(const struct choice *choice);

#endif
