/* choice.c: an option whose word names an entry of a table.
 *
 *     struct choice kernel = CHOICE_OF(kernels);
 *     if (!choose(&kernel, "read"))
 *         die_usage("there are %s", choice_names(&kernel));
 */
#include "base/choice.h"
#include <stdio.h>
#include <string.h>

static const char *name_at(const struct choice *choice, size_t k)
{
    return *(const char *const *)(const void *)((const char *)choice->table +
                                                k * choice->entry_bytes);
}

bool choose(struct choice *choice, const char *name)
{
    for (size_t k = 0; name_at(choice, k) != NULL; k++)
        if (strcmp(name_at(choice, k), name) == 0) {
            choice->chosen = (const char *)choice->table + k * choice->entry_bytes;
            return true;
        }
    return false;
}

const char *choice_names(const struct choice *choice)
{
    static char list[256];
    size_t used = 0;
    *list = '\0';
    for (size_t k = 0; name_at(choice, k) != NULL && used < sizeof list; k++) {
        const char *between = k == 0 ? "" : name_at(choice, k + 1) == NULL ? " and " : ", ";
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", between,
                                 name_at(choice, k));
    }
    return list;
}
