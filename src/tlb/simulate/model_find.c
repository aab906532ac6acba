/* model_find.c: finds the file of a machine description. */
#define _XOPEN_SOURCE 700 /* realpath() */
#include "base/args.h"
#include "base/error.h"
#include "tlb/simulate/model.h"
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifndef PATH_MAX
#define PATH_MAX 4096
#endif

/* Joins FOLDER/BELOW/NAME; false where that file cannot be read. */
static bool find_in(char path[PATH_MAX], const char *folder, size_t length, const char *below,
                    const char *name)
{
    int used = snprintf(path, PATH_MAX, "%.*s/%s%s", (int)length, folder, below, name);
    return used > 0 && used < PATH_MAX && access(path, R_OK) == 0;
}

/* The file of this program, from the path that it was called by or from PATH. */
static bool find_program(char real[PATH_MAX])
{
    char path[PATH_MAX];
    const char *called = args_called_as, *folder = getenv("PATH");
    if (called == NULL || strchr(called, '/') != NULL)
        return called != NULL && realpath(called, real) != NULL;
    for (; folder != NULL; folder = *folder == ':' ? folder + 1 : NULL) {
        size_t length = strcspn(folder, ":");
        if (find_in(path, length > 0 ? folder : ".", length > 0 ? length : 1, "", called))
            return realpath(path, real) != NULL;
        folder += length;
    }
    return false;
}

/* Searches the folders above the program: those of the source tree, where build variants lie deeper
 * than bin/, or the installation's share/ above libexec/tlblab/. */
static bool find_above(char path[PATH_MAX], const char *name)
{
    char program[PATH_MAX], *slash;
    if (!find_program(program))
        return false;
    for (int up = 0; up < 5 && (slash = strrchr(program, '/')) != NULL; up++) {
        *slash = '\0';
        size_t length = strlen(program);
        if (find_in(path, program, length, "tests/models/", name) ||
            find_in(path, program, length, "share/tlblab/models/", name))
            return true;
    }
    return false;
}

const char *model_find(const char *operand)
{
    static char path[PATH_MAX];
    const char *folder = getenv("TLBLAB_MODELS");
    char name[256];
    if (*operand == '\0')
        die("the name of the machine is empty");
    if (strchr(operand, '/') != NULL || strcmp(operand, "-") == 0 || access(operand, F_OK) == 0)
        return operand;
    snprintf(name, sizeof name, "%s.tsv", operand);
    if ((folder != NULL && find_in(path, folder, strlen(folder), "", name)) ||
        find_above(path, name))
        return path;
    die("%s: there is no such file, and no model of that name in %s", operand,
        folder != NULL ? folder : "share/tlblab/models (TLBLAB_MODELS names another folder)");
}
