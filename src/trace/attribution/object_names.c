/* object_names.c: lists of names of objects, as --huge takes them.
 *
 *     object_is_named("column,pred", "heap new_column (bfs.c:20)")
 */
#include "trace/attribution/object_names.h"
#include <string.h>

/* Whether a name is this label, its function, or its FILE:LINE: labels of blocks are
 * "heap FUNCTION (FILE:LINE)". */
static bool names_label(const char *name, size_t length, const char *label)
{
    const char *at = label;
    if (strlen(label) == length && memcmp(label, name, length) == 0)
        return true;
    if (strncmp(label, "heap ", 5) != 0)
        return false;
    for (at += 5; at != NULL && *at != '\0'; at = strpbrk(at, " ;")) {
        at += strspn(at, " (;");
        if (strncmp(at, name, length) == 0 && strchr(" );", at[length]) != NULL)
            return true;
    }
    return false;
}

bool object_is_named(const char *list, const char *label)
{
    if (strcmp(list, "all") == 0)
        return true;
    while (*list != '\0') {
        size_t length = strcspn(list, ",");
        if (names_label(list, length, label))
            return true;
        list += length + (list[length] == ',');
    }
    return false;
}
