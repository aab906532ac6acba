/* model_find.c: finds the file of a machine description. */
#define _XOPEN_SOURCE 700 /* realpath() */
#include "base/args.h"
#include "base/error.h"
#include "tlb/simulate/model.h"
#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifndef PATH_MAX
#define PATH_MAX 4096
#endif

/* Joins FOLDER/BELOW/NAME; false if that file cannot be read. */
static bool find_in(char path[PATH_MAX], const char *folder, size_t length, const char *below,
                    const char *name)
{
    int used = snprintf(path, PATH_MAX, "%.*s/%s%s", (int)length, folder, below, name);
    return used > 0 && used < PATH_MAX && access(path, R_OK) == 0;
}

/* The file of this program, from the path by which it was called or from PATH. */
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

/* The folder of the models above the program: that of the source tree, where build variants lie
 * deeper than bin/, or the installation's share/ above libexec/tlblab/. */
static bool find_folder(char path[PATH_MAX])
{
    char program[PATH_MAX], *slash;
    if (!find_program(program))
        return false;
    for (int up = 0; up < 5 && (slash = strrchr(program, '/')) != NULL; up++) {
        *slash = '\0';
        size_t length = strlen(program);
        if (find_in(path, program, length, "src/tlb/models", "") ||
            find_in(path, program, length, "share/tlblab/models", ""))
            return true;
    }
    return false;
}

/* ---- all models ---- */

static int is_model(const struct dirent *entry)
{
    const char *dot = strrchr(entry->d_name, '.');
    return dot != NULL && strcmp(dot, ".tsv") == 0;
}

typedef void model_name(const char *folder, int length, const char *file);

static void each_model(const char *folder, model_name *each)
{
    struct dirent **files;
    int count = scandir(folder, &files, is_model, alphasort);
    for (int i = 0; i < count; i++) {
        each(folder, (int)strlen(files[i]->d_name) - 4, files[i]->d_name);
        free(files[i]);
    }
    if (count >= 0)
        free(files);
}

/* The folders of TLBLAB_MODELS, and those above the program. */
static void all_models(model_name *each)
{
    const char *folder = getenv("TLBLAB_MODELS");
    char above[PATH_MAX];
    if (folder != NULL)
        each_model(folder, each);
    if (find_folder(above))
        each_model(above, each);
}

static char list[4096];

static void add_to_list(const char *folder, int length, const char *file)
{
    (void)folder;
    size_t used = strlen(list);
    snprintf(list + used, sizeof list - used, "%s%.*s", used > 0 ? ", " : "", length, file);
}

/* The first line of a description is `# name: …`. */
static void print_model(const char *folder, int length, const char *file)
{
    char path[PATH_MAX], word[64], line[256] = "";
    FILE *opened = find_in(path, folder, strlen(folder), "", file) ? fopen(path, "r") : NULL;
    bool named = opened != NULL && fgets(line, sizeof line, opened) != NULL &&
                 strncmp(line, "# name: ", 8) == 0;
    line[strcspn(line, "\n")] = '\0';
    snprintf(word, sizeof word, "%.*s", length, file);
    help_entry(word, named ? line + 8 : "");
    if (opened != NULL)
        fclose(opened);
}

void model_print_names(void)
{
    help_entry("here", "this machine, as last measured, or measured now");
    all_models(print_model);
}

const char *model_find(const char *operand)
{
    static char path[PATH_MAX];
    const char *folder = getenv("TLBLAB_MODELS");
    char name[256], above[PATH_MAX];
    if (*operand == '\0')
        die("the name of the machine is empty");
    if (strchr(operand, '/') != NULL || strcmp(operand, "-") == 0 || access(operand, F_OK) == 0)
        return operand;
    snprintf(name, sizeof name, "%s.tsv", operand);
    if ((folder != NULL && find_in(path, folder, strlen(folder), "", name)) ||
        (find_folder(above) && find_in(path, above, strlen(above), "", name)))
        return path;
    if (strcmp(operand, "here") == 0)
        return model_here();
    all_models(add_to_list);
    die("%s: no such file, and no model of that name; the models are here (this machine), %s",
        operand, *list != '\0' ? list : "none (TLBLAB_MODELS names their folder)");
}
