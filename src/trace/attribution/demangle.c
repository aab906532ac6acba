/* demangle.c: names of C++ as they are in the source.
 *
 *     demangle("_Znwm", name, sizeof name);
 *     puts(name); // operator new
 */
#include "trace/attribution/demangle.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
