/* names.c: the names of objects and functions.
 *
 *     object_is_named("column,pred", "heap;main (bfs.c:44);new_column (bfs.c:20)")
 */
#include "trace/attribution/names.h"
#include "base/error.h"
#include <stdio.h>
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

/* ---- functions of C++ ---- */

/* Of the C++ library, whose header is for C++ alone. */
extern char *__cxa_demangle(const char *symbol, char *room, size_t *length, int *status);

/* Cuts the last parentheses off, and what is behind them. */
static void cut_parameters(char *name)
{
    char *at = strrchr(name, ')');
    int depth = 0;
    for (; at != NULL && at > name; at--) {
        depth += (*at == ')') - (*at == '(');
        if (depth == 0) {
            *at = '\0';
            return;
        }
    }
}

/* Behind the type that comes before the name of a template: after the last blank that is in no
 * brackets. That of "operator new" is part of the name. */
static const char *behind_type(const char *name)
{
    const char *begin = name;
    int depth = 0;
    for (const char *at = name; *at != '\0'; at++) {
        if (depth == 0 && strncmp(at, "operator", 8) == 0)
            break;
        depth += (*at == '<' || *at == '(') - (*at == '>' || *at == ')');
        if (depth == 0 && *at == ' ')
            begin = at + 1;
    }
    return begin;
}

void demangle(const char *symbol, char *name, size_t room)
{
    int status = 0;
    char *whole = strncmp(symbol, "_Z", 2) == 0 ? __cxa_demangle(symbol, NULL, NULL, &status)
                                                : NULL;
    if (whole != NULL)
        cut_parameters(whole);
    snprintf(name, room, "%s", whole != NULL ? behind_type(whole) : symbol);
    free(whole);
}
