/* script.h: the first line of a script. */
#ifndef TLBLAB_FORMAT_SCRIPT_H
#define TLBLAB_FORMAT_SCRIPT_H

#include <stdbool.h>
#include <string.h>

/* Linux reads as many bytes of it, less the terminator. [physics] */
enum { SCRIPT_HEAD = 256 };

/* Cuts the beginning of a file into the interpreter and its argument (NULL: none); false: it is no
 * script. */
static inline bool script_interpreter(char first[SCRIPT_HEAD], char **interpreter, char **argument)
{
    if (first[0] != '#' || first[1] != '!')
        return false;
    first[strcspn(first, "\n")] = '\0';
    *interpreter = first + 2 + strspn(first + 2, " \t");
    *argument = *interpreter + strcspn(*interpreter, " \t");
    if (**argument != '\0')
        *(*argument)++ = '\0';
    *argument += strspn(*argument, " \t");
    for (size_t end = strlen(*argument); end > 0 && strchr(" \t", (*argument)[end - 1]); end--)
        (*argument)[end - 1] = '\0';
    if (**argument == '\0')
        *argument = NULL;
    return **interpreter != '\0';
}

#endif
