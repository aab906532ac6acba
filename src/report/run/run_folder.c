/* run_folder.c: the tables in a folder. */
#include "base/error.h"
#include "report/run/run_tables.h"
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Adds FOLDER/NAME; the folder may be "". */
static void add(struct run_files *files, const char *folder, const char *name)
{
    size_t room = strlen(folder) + strlen(name) + 2;
    files->at = reallocate(files->at, (size_t)files->count + 1, sizeof *files->at);
    files->at[files->count] = allocate(room, 1);
    snprintf(files->at[files->count++], room, "%s%s%s", folder, *folder != '\0' ? "/" : "", name);
}

static bool is_table(const char *name)
{
    size_t length = strlen(name);
    return length > 4 && *name != '.' && strcmp(name + length - 4, ".tsv") == 0;
}

static void add_folder(struct run_files *files, const char *folder, DIR *open)
{
    int before = files->count;
    for (struct dirent *entry; (entry = readdir(open)) != NULL;) {
        if (!is_table(entry->d_name))
            continue;
        add(files, folder, entry->d_name);
        if (!run_tables_has_kind(files->at[files->count - 1]))
            free(files->at[--files->count]);
    }
    closedir(open);
    if (files->count == before)
        die("%s: the folder has no tables of a run", folder);
    qsort(files->at + before, (size_t)(files->count - before), sizeof *files->at, compare_names);
}

struct run_files run_files_of(char *const *operands, int count)
{
    struct run_files files = {0};
    for (int i = 0; i < count; i++) {
        DIR *open = opendir(operands[i]);
        if (open != NULL)
            add_folder(&files, operands[i], open);
        else
            add(&files, "", operands[i]);
    }
    return files;
}

void run_files_free(struct run_files *files)
{
    for (int i = 0; i < files->count; i++)
        free(files->at[i]);
    free(files->at);
}
