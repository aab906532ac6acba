/* exec.c: a program in qemu-user that executes another: this one begins in a QEMU with the same
 * options, and writes to the same trace.
 *
 * QEMU itself would have the system execute it, out of its sight. The plugin is called before, in
 * the process that does so, and has its memory: so it makes the call instead. */
#define _GNU_SOURCE
#include "plugin.h"
#include "runtime.h"
#include "trace/format/script.h"
#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

uint16_t program_machine;

enum { PATH_ROOM = 4096, OPTIONS_MAX = 16, MORE_WORDS = 8 };

/* QEMU's arguments, up to the name of the program. */
static char options[PATH_ROOM * 4];
static char *option_words[OPTIONS_MAX];

/* Splits the command line up to "-0"; the number of its words, or 0 where it is another one. */
static size_t read_options(void)
{
    size_t count = 0;
    int file = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
    ssize_t got = file >= 0 ? read(file, options, sizeof options - 1) : 0;
    if (file >= 0)
        close(file);
    for (char *at = options; at < options + got; at += strlen(at) + 1) {
        if (strcmp(at, "-0") == 0)
            return count;
        if (count == OPTIONS_MAX)
            break;
        option_words[count++] = at;
    }
    return 0;
}

/* ---- the program ---- */

/* The first bytes of a file that may be executed with the rights of its caller; their number. */
static ssize_t read_head(const char *path, char first[SCRIPT_HEAD])
{
    struct stat is;
    if (access(path, X_OK) != 0 || stat(path, &is) != 0 || !S_ISREG(is.st_mode) ||
        (is.st_mode & (S_ISUID | S_ISGID)) != 0)
        return 0;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t got = file >= 0 ? read(file, first, SCRIPT_HEAD - 1) : 0;
    if (file >= 0)
        close(file);
    first[got > 0 ? got : 0] = '\0';
    return got;
}

/* Whether QEMU can run a file: it is for the processor that this program is for. */
static bool is_program(const char *path)
{
    char first[SCRIPT_HEAD];
    Elf64_Ehdr *elf = (Elf64_Ehdr *)(void *)first;
    return read_head(path, first) >= (ssize_t)sizeof *elf &&
           memcmp(elf->e_ident, ELFMAG, SELFMAG) == 0 && elf->e_ident[EI_CLASS] == ELFCLASS64 &&
           elf->e_machine == program_machine;
}

/* The interpreter of a script and its argument (NULL: none), in `first`; false: it is no script. */
static bool is_script(const char *path, char first[SCRIPT_HEAD], char **interpreter,
                      char **argument)
{
    return read_head(path, first) > 2 && script_interpreter(first, interpreter, argument) &&
           is_program(*interpreter);
}

/* ---- the call ---- */

static size_t length_of(char *const list[])
{
    size_t count = 0;
    while (list != NULL && list[count] != NULL)
        count++;
    return count;
}

/* LD_PRELOAD as the program wants it, behind the library that tlbrun puts there: QEMU's option -E
 * names that first. */
static char *preload(const char *was, char *const envp[])
{
    static const char name[] = "LD_PRELOAD=";
    const char *others = "";
    int own = (int)strcspn(was, ":");
    for (; envp != NULL && *envp != NULL; envp++)
        if (strncmp(*envp, name, sizeof name - 1) == 0)
            others = *envp + sizeof name - 1;
    if (strncmp(others, was + sizeof name - 1, (size_t)own - (sizeof name - 1)) == 0)
        return strdup(was); /* it is there already */
    size_t bytes = (size_t)own + strlen(others) + 2;
    char *text = malloc(bytes);
    if (text != NULL)
        snprintf(text, bytes, "%.*s%s%s", own, was, *others != '\0' ? ":" : "", others);
    return text;
}

static void put_options(char **words, size_t count, char *const envp[])
{
    for (size_t i = 0; i < count; i++) {
        bool preloads = strncmp(option_words[i], "LD_PRELOAD=", 11) == 0;
        words[i] = preloads ? preload(option_words[i], envp) : option_words[i];
    }
}

/* With the process of tlbsim, by which the trace is found. */
static char **environment(char *const envp[])
{
    static char variable[64];
    size_t count = length_of(envp);
    char **all = calloc(count + 2, sizeof *all);
    snprintf(variable, sizeof variable, TLBSIM_VARIABLE "=%u", head_now()->reader);
    for (size_t i = 0; all != NULL && i < count; i++)
        all[i] = envp[i];
    if (all != NULL)
        all[count] = variable;
    return all;
}

void exec_traced(const char *path, char *const argv[], char *const envp[])
{
    char emulator[PATH_ROOM], first[SCRIPT_HEAD], *interpreter = NULL, *argument = NULL;
    size_t count = read_options(), given = length_of(argv);
    ssize_t length = readlink("/proc/self/exe", emulator, sizeof emulator - 1);
    if (path == NULL || count == 0 || given == 0 || length <= 0 ||
        (!is_script(path, first, &interpreter, &argument) && !is_program(path)))
        return;
    emulator[length] = '\0';
    char **words = calloc(count + given + MORE_WORDS, sizeof *words), **all = environment(envp);
    if (words != NULL && all != NULL) {
        put_options(words, count, envp);
        words[count++] = (char *)"-0";
        words[count++] = interpreter != NULL ? interpreter : argv[0];
        words[count++] = interpreter != NULL ? interpreter : (char *)path;
        if (argument != NULL)
            words[count++] = argument;
        if (interpreter != NULL)
            words[count++] = (char *)path;
        for (size_t i = 1; i < given; i++)
            words[count++] = argv[i];
        leave_trace();
        execve(emulator, words, all);
    }
    free(words);
    free(all);
}
