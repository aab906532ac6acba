/* choice.h: looks up table entries by name, such as a kernel, a preset or a kind of core, and
 * options that take such a name. Each entry begins with its name; a NULL name ends the table. */
#ifndef TLBLAB_BASE_CHOICE_H
#define TLBLAB_BASE_CHOICE_H

#include <stdbool.h>
#include <stddef.h>

struct choice {
    const void *table;
    size_t entry_bytes;
    const void *chosen; /* the chosen entry, or NULL */
};

/* The initial value of a choice from such a table. */
#define CHOICE_OF(entries)                                                                         \
    {                                                                                              \
        (entries), sizeof *(entries), NULL                                                         \
    }

/* Chooses the entry with that name; false if there is none. */
bool choose(struct choice *choice, const char *name);

/* The name of the chosen entry; NULL without one. */
const char *choice_chosen(const struct choice *choice);

/* The entry whose name is exactly these bytes; NULL if there is none. */
const void *choice_find(const struct choice *choice, const char *name, size_t length);

/* The entries of a comma list, the value of an option, into an array of `room`; returns their
 * number. A name that is not in the table, or one too many, is a usage error. */
size_t choice_list(const struct choice *choice, const char *option, const char *list,
                   const void **chosen, size_t room);

/* The texts that the k-th entry begins with; its name is NULL at the end of the table. */
const char *const *choice_at(const struct choice *choice, size_t k);

/* The table's names as a list: "page, packed and line". Valid until the next call. */
const char *choice_names(const struct choice *choice);

/* The first of the names that are most like a word of so many bytes, as somebody may have mistyped
 * it; NULL: none is. A third of its letters may be wrong, missing, added or swapped. */
const char *choice_nearest(const struct choice *names, const char *word, size_t length);

#endif
