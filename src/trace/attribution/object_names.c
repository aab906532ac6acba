/* object_names.c: the names of objects.
 *
 *     object_is_named("column,pred", "heap;main (bfs.c:44);new_column (bfs.c:20)")
 */
#include "trace/attribution/object_names.h"
#include "base/error.h"
#include <stdlib.h>
#include <string.h>

void object_shorten(char *name)
{
    static const char operator[] = "operator";
    char *to = name;
    int depth = 0;
    for (const char *at = name; *at != '\0';)
        if (strncmp(at, operator, sizeof operator- 1) == 0) { /* such as operator<< */
            size_t length = sizeof operator- 1 + strspn(at + sizeof operator- 1, "<=>-");
            memmove(to, at, depth > 0 ? 0 : length);
            to += depth > 0 ? 0 : length;
            at += length;
        } else {
            depth += *at == '<';
            if (depth == 0)
                *to++ = *at;
            depth -= *at == '>' && depth > 0;
            at++;
        }
    *to = '\0';
}

/* Whether the name is this label, or that of neighbours in its stack, or of a function or line
 * there. */
static bool names_label(char *name, const char *label)
{
    bool calls = strncmp(name, "heap ", 5) == 0;
    if (strcmp(name, label) == 0)
        return true;
    if (calls) {
        char *type = strstr(name, ";[");
        name += 5;
        if (type != NULL)
            *type = '\0';
    }
    size_t length = strlen(name);
    if (strncmp(label, "heap;", 5) != 0 || length == 0)
        return false;
    for (const char *at = label + 5; (at = strstr(at, name)) != NULL; at++)
        if (strchr(calls ? ";" : ";(", at[-1]) != NULL &&
            (at[length] == '\0' || strchr(calls ? ";" : "; )", at[length]) != NULL))
            return true;
    return false;
}

bool object_is_named(const char *list, const char *label)
{
    char *shorter = allocate(strlen(label) + 1, 1), *names = allocate(strlen(list) + 1, 1), *rest;
    object_shorten(strcpy(shorter, label));
    bool named = strcmp(list, "all") == 0;
    for (char *name = strtok_r(strcpy(names, list), ",", &rest); name != NULL && !named;
         name = strtok_r(NULL, ",", &rest)) {
        object_shorten(name);
        named = names_label(name, shorter);
    }
    free(shorter);
    free(names);
    return named;
}
