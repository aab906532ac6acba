/* model_here.c: the TLBs of this machine, as last measured, or measured now: what `sweep --preset
 * geometry | geometry` writes. It is kept, as that takes some seconds. */
#include "base/args.h"
#include "base/beside.h"
#include "base/error.h"
#include "machine/facts.h"
#include "platform.h"
#include "table/table.h"
#include "tlb/simulate/model.h"
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PATH_ROOM = 4096, STATUS_UNSTARTED = 127 };

/* The file of this host, whose folder is made. */
static void find_file(char file[PATH_ROOM])
{
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    bool own = cache != NULL && *cache == '/';
    char host[256];
    platform_host(host, sizeof host);
    host[strcspn(host, "/")] = '\0';
    if (!own && (home == NULL || *home != '/'))
        die("here: there is no HOME to keep the measurement in");
    int used = snprintf(file, PATH_ROOM, "%s%s/tlblab/here-%s.tsv", own ? cache : home,
                        own ? "" : "/.cache", host);
    if (used >= PATH_ROOM - 16)
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

const char *model_here(void)
{
    static char file[PATH_ROOM];
    char fresh[PATH_ROOM];
    find_file(file);
    if (access(file, R_OK) == 0 && !is_of_another(file)) {
        if (!args_quiet)
            warn("here: as measured earlier (without %s it is measured again)", file);
        return file;
    }
    snprintf(fresh, sizeof fresh, "%.*s.%ld", PATH_ROOM - 16, file, (long)getpid());
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
