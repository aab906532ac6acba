/* choice.c: an option whose word names an entry of a table.
 *
 *     struct choice kernel = CHOICE_OF(kernels);
 *     if (!choose(&kernel, "read"))
 *         die_usage("there are %s", choice_names(&kernel));
 */
#include "base/choice.h"
#include <stdio.h>
#include <string.h>

const char *const *choice_at(const struct choice *choice, size_t k)
{
    return (const void *)((const char *)choice->table + k * choice->entry_bytes);
}

static const char *name_at(const struct choice *choice, size_t k)
{
    return *choice_at(choice, k);
}

const void *choice_find(const struct choice *choice, const char *name, size_t length)
{
    for (size_t k = 0; name_at(choice, k) != NULL; k++)
        if (strlen(name_at(choice, k)) == length && memcmp(name_at(choice, k), name, length) == 0)
            return choice_at(choice, k);
    return NULL;
}

bool choose(struct choice *choice, const char *name)
{
    choice->chosen = choice_find(choice, name, strlen(name));
    return choice->chosen != NULL;
}

const char *choice_chosen(const struct choice *choice)
{
    return choice->chosen != NULL ? *(const char *const *)choice->chosen : NULL;
}

const char *choice_names(const struct choice *choice)
{
    static char list[512];
    size_t used = 0;
    *list = '\0';
    for (size_t k = 0; name_at(choice, k) != NULL && used < sizeof list; k++) {
        const char *between = k == 0 ? "" : name_at(choice, k + 1) == NULL ? " and " : ", ";
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", between,
                                 name_at(choice, k));
    }
    return list;
}
