/* model_find.c: finds the file of a machine description: a file, a model, or the TLBs of this
 * machine, as last measured, or measured now: what `sweep --preset geometry | geometry` writes. It
 * is kept, as that takes some seconds. */
#define _XOPEN_SOURCE 700 /* realpath() */
#include "base/args.h"
#include "base/beside.h"
#include "base/error.h"
#include "machine/facts.h"
#include "platform.h"
#include "table/table.h"
#include "tlb/simulate/model.h"
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
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

/* ---- this machine ---- */

enum { STATUS_UNSTARTED = 127 };

/* The file of this host, whose folder is made. */
static void find_file(char file[PATH_MAX])
{
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    bool own = cache != NULL && *cache == '/';
    char host[256];
    platform_host(host, sizeof host);
    host[strcspn(host, "/")] = '\0';
    if (!own && (home == NULL || *home != '/'))
        die("here: there is no HOME to keep the measurement in");
    int used = snprintf(file, PATH_MAX, "%s%s/tlblab/here-%s.tsv", own ? cache : home,
                        own ? "" : "/.cache", host);
    if (used >= PATH_MAX - 16)
        die("here: the name of the folder to keep the measurement in is too long");
    for (char *slash = strchr(file + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(file, 0777); /* if that fails, so does opening the file */
        *slash = '/';
    }
}

/* A host may get another processor, or its name; machines that share a home may share a name. Says
 * in what the machine that was measured differs from this one. */
static bool is_of_another(char *file)
{
    static const char *const keys[] = {"cpu",       "hypervisor", "page_bytes", "line_bytes",
                                       "l1d_bytes", "l2_bytes",   "l3_bytes"};
    struct table *table = table_open(&file, 1);
    struct facts *facts = facts_gather();
    bool differs = false;
    for (size_t i = 0; i < sizeof keys / sizeof *keys && !differs; i++) {
        const char *then = table_meta(table, 0, keys[i]), *now = facts_value(facts, keys[i]);
        then = then != NULL ? then : "unknown";
        now = now != NULL ? now : "unknown";
        differs = strcmp(then, now) != 0;
        if (differs && !args_quiet)
            warn("here: %s is of another machine: %s was '%s', and is '%s'", file, keys[i], then,
                 now);
    }
    facts_free(facts);
    table_close(table);
    return differs;
}

/* Starts a program of this folder; returns its process. */
static pid_t start(char *const *words, const char *const *places, int in, int out, int other)
{
    const char *program = beside_find(places);
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        if ((in < 0 || dup2(in, STDIN_FILENO) >= 0) && dup2(out, STDOUT_FILENO) >= 0) {
            close(other);
            execv(program, words);
        }
        _exit(STATUS_UNSTARTED);
    }
    if (child < 0)
        die("%s: cannot be started: %s", program, strerror(errno));
    return child;
}

/* Whether the process ended with an answer, if only a partial one. */
static bool answers(pid_t child)
{
    int status;
    return waitpid(child, &status, 0) == child && WIFEXITED(status) &&
           WEXITSTATUS(status) <= STATUS_PARTIAL;
}

static bool measure(int to)
{
    static const char *const sweep_at[] = {"/sweep", NULL}, *const geometry_at[] = {"/geometry",
                                                                                    NULL};
    char sweep[] = "sweep", preset[] = "--preset", which[] = "geometry", geometry[] = "geometry",
         quiet[] = "--quiet";
    char *const sweep_words[] = {sweep, preset, which, args_quiet ? quiet : NULL, NULL};
    char *const geometry_words[] = {geometry, quiet, NULL};
    int ends[2];
    if (pipe(ends) != 0)
        die("here: no pipe: %s", strerror(errno));
    pid_t samples = start(sweep_words, sweep_at, -1, ends[1], ends[0]);
    pid_t answer = start(geometry_words, geometry_at, ends[0], to, ends[1]);
    close(ends[0]);
    close(ends[1]);
    bool measured = answers(samples);
    return answers(answer) && measured;
}

/* Whether the first level was found. */
static bool has_level(const char *file)
{
    static const char begins[] = "dtlb\t1\t";
    enum { BEGINS = sizeof begins - 1 };
    char line[512];
    bool found = false;
    FILE *table = fopen(file, "r");
    while (table != NULL && !found && fgets(line, sizeof line, table) != NULL)
        found = strncmp(line, begins, BEGINS) == 0 && isdigit((unsigned char)line[BEGINS]);
    if (table != NULL)
        fclose(table);
    return found;
}

static const char *find_here(void)
{
    static char file[PATH_MAX];
    char fresh[PATH_MAX];
    find_file(file);
    if (access(file, R_OK) == 0 && !is_of_another(file)) {
        if (!args_quiet)
            warn("here: as measured earlier (without %s it is measured again)", file);
        return file;
    }
    snprintf(fresh, sizeof fresh, "%.*s.%ld", PATH_MAX - 16, file, (long)getpid());
    int to = open(fresh, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (to < 0)
        die("here: %s: cannot be written: %s", fresh, strerror(errno));
    if (!args_quiet)
        warn_at_once("here: measuring the TLBs of this machine, some 10 s");
    bool done = measure(to);
    close(to);
    if (!done || !has_level(fresh) || rename(fresh, file) != 0) {
        unlink(fresh);
        die("here: the TLBs of this machine could not be measured ('sweep --preset geometry | "
            "geometry' says why)");
    }
    return file;
}

/* ---- an operand ---- */

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
        return find_here();
    all_models(add_to_list);
    die("%s: no such file, and no model of that name; the models are here (this machine), %s",
        operand, *list != '\0' ? list : "none (TLBLAB_MODELS names their folder)");
}
