/* tlbrun: traces the memory accesses of any program, as it is.
 *
 * usage: tlbrun [OPTION...] -- COMMAND [ARGUMENT...]
 * Runs the command in qemu-user, with a plugin (src/trace/runtime/) that writes the trace of a
 * program that tlbcc has compiled, with the accesses of libraries.
 *
 * example: tlbrun --trace sort.trace -- sort words.txt
 */
#include "base/args.h"
#include "base/beside.h"
#include "base/error.h"
#include "platform.h"
#include "tlb/simulate/model.h"
#include "trace/format/script.h"
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *trace_file, *misses_machine, *qemu, *from, *to;
static uint64_t max_bytes;
static double max_seconds;

static const struct flag flags[] = {
    {"trace", FLAG_TEXT, &trace_file, "FILE",
     "write the trace there, or to '|COMMAND' (default: $TLBLAB_TRACE)"},
    {"misses", FLAG_TEXT, &misses_machine, "MACHINE", "only what misses in this machine's TLBs"},
    {"from", FLAG_TEXT, &from, "FUNCTION",
     "nothing is traced before this function of the command runs"},
    {"to", FLAG_TEXT, &to, "FUNCTION",
     "nothing from when this one runs, until that of --from does"},
    {"max-bytes", FLAG_SIZE, &max_bytes, "SIZE", "the trace ends when it has this size"},
    {"max-seconds", FLAG_SECONDS, &max_seconds, "N", "the trace ends after this time"},
    {"qemu", FLAG_TEXT, &qemu, "PROGRAM", "this qemu-user (default: qemu-ARCHITECTURE in PATH)"},
    {0}};

static const struct topic topics[] = {
    {"machines", "Machines", {0}, model_print_names, "processors that come with tlblab"}, {0}};

static const struct program program = {
    .name = "tlbrun",
    .purpose = "trace the memory accesses of any program, as it is",
    .operands = "-- COMMAND [ARGUMENT...]",
    .example = "tlbrun --trace sort.trace -- sort words.txt",
    .flags = flags,
    .topics = topics,
};

/* ELF's numbers of the architectures that qemu-user runs at the process's own addresses: 64 bits,
 * little-endian. */
struct architecture {
    unsigned machine;
    const char *name;
};
static const struct architecture architectures[] = {
    {62, "x86_64"}, {183, "aarch64"}, {243, "riscv64"}, {0, NULL}};

enum { PATH_ROOM = 4096 };

/* ---- the command ---- */

/* The file of a command, as execvp() finds it. */
static const char *find_command(const char *command)
{
    static char path[PATH_ROOM];
    const char *at = getenv("PATH");
    if (strchr(command, '/') != NULL || at == NULL)
        return command;
    for (; *at != '\0'; at += *at == ':') {
        size_t length = strcspn(at, ":");
        snprintf(path, sizeof path, "%.*s/%s", (int)length, at, command);
        if (access(path, X_OK) == 0)
            return path;
        at += length;
    }
    die("%s: not found in PATH", command);
}

/* The first bytes of a file, with a terminator. */
static void read_head(const char *file, char first[SCRIPT_HEAD])
{
    FILE *in = fopen(file, "rb");
    if (in == NULL)
        die("%s: cannot be read: %s", file, strerror(errno));
    first[fread(first, 1, SCRIPT_HEAD - 1, in)] = '\0';
    fclose(in);
}

/* The architecture of a program. */
static const char *architecture_of(const char *file, const char first[SCRIPT_HEAD])
{
    const unsigned char *head = (const unsigned char *)first;
    if (memcmp(head, "\177ELF", 4) != 0)
        die("%s: neither a program nor a script with an interpreter (#!)", file);
    for (int i = 0; architectures[i].name != NULL; i++)
        if (head[4] == 2 && head[5] == 1 &&
            architectures[i].machine == (head[18] | (unsigned)head[19] << 8))
            return architectures[i].name;
    die("%s: not a program for x86_64, aarch64 or riscv64", file);
}

/* The file to run: a script's interpreter takes the place of the command, and of a script the words
 * before its own arguments are put there; their number. */
static const char *find_program(char **command, char first[SCRIPT_HEAD], char **words, int *count)
{
    static char script[SCRIPT_HEAD];
    const char *file = find_command(*command);
    char *argument;
    read_head(file, first);
    memcpy(script, first, sizeof script);
    *count = 0;
    if (!script_interpreter(script, command, &argument))
        return file;
    if (argument != NULL)
        words[(*count)++] = argument;
    words[(*count)++] = (char *)file;
    read_head(*command, first);
    return *command;
}

/* ---- QEMU ---- */

/* Whether the help of a qemu has the option -plugin. */
static bool has_plugins(const char *name)
{
    char line[512];
    int ends[2];
    bool found = false;
    if (pipe(ends) != 0)
        die("no pipe: %s", strerror(errno));
    pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDOUT_FILENO);
        close(ends[0]);
        close(ends[1]);
        execlp(name, name, "-h", (char *)NULL);
        _exit(errno == ENOENT ? 127 : 126);
    }
    close(ends[1]);
    FILE *help = fdopen(ends[0], "r");
    while (help != NULL && fgets(line, sizeof line, help) != NULL)
        found = found || strncmp(line, "-plugin ", 8) == 0;
    if (help != NULL)
        fclose(help);
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child ||
        (WIFEXITED(status) && WEXITSTATUS(status) >= 126))
        die("%s: it cannot be started: install qemu-user (Debian 12: apt install qemu-user)", name);
    return found;
}

static void set_number(const char *name, double value)
{
    char text[64];
    snprintf(text, sizeof text, "%.17g", value);
    if (value > 0)
        setenv(name, text, 1);
}

/* For the plugin. The option -U hides TLBLAB_TRACE from the program, which might trace itself. */
static void set_environment(void)
{
    if (trace_file != NULL)
        setenv("TLBLAB_TRACE", trace_file, 1);
    if (misses_machine != NULL) {
        setenv("TLBLAB_MACHINE", misses_machine, 1);
        setenv("TLBLAB_RECORD", "misses", 1);
    }
    if (from != NULL) {
        setenv("TLBLAB_FROM", from, 1);
        setenv("TLBLAB_START", "off", 1);
    }
    if (to != NULL)
        setenv("TLBLAB_TO", to, 1);
    set_number("TLBLAB_MAX_BYTES", (double)max_bytes);
    set_number("TLBLAB_MAX_SECONDS", max_seconds);
}

/* Whether this machine runs such programs itself, with its libraries. */
static bool is_own(const char *architecture)
{
    struct utsname self;
    return uname(&self) == 0 && strcmp(self.machine, architecture) == 0;
}

/* LD_PRELOAD and QEMU split paths at ':' and ','; such a path is passed as /proc/PID/fd/N. */
static const char *undivided(const char *file)
{
    char *path = allocate(PLATFORM_PATH_ROOM, 1);
    platform_undivided(file, true, path);
    return path;
}

/* In a program for this machine the library guest.so, beside the plugin, reports what memory it
 * takes. */
static char *preload(const char *plugin)
{
    const char *others = getenv("LD_PRELOAD"), *slash = strrchr(plugin, '/');
    size_t length = (size_t)(slash + 1 - plugin), size = length + 96;
    char *file = allocate(size, 1);
    snprintf(file, size, "%.*sguest.so", (int)length, plugin);
    size += others != NULL ? strlen(others) : 0;
    char *text = allocate(size, 1);
    snprintf(text, size, "LD_PRELOAD=%s%s%s", undivided(file), others != NULL ? ":" : "",
             others != NULL ? others : "");
    return text;
}

/* tlbsim reads the machine and opens the trace only once the command runs, which continues untraced
 * if either fails: so both are tried beforehand. */
static void check_machine(void)
{
    struct model model;
    if (strcmp(misses_machine, "-") == 0)
        die_usage("--misses: stdin is the command's: name a file");
    model_read(&model, model_find(misses_machine));
}

static void check_trace(const char *name)
{
    if (*name == '|')
        return;
    if (strcmp(name, "-") == 0)
        die_usage("--trace -: stdout is the command's: name a file, or '|COMMAND'");
    FILE *file = fopen(name, "ab");
    if (file == NULL)
        die("%s: cannot be written: %s", name, strerror(errno));
    fclose(file);
}

static void check_files(void)
{
    const char *trace = trace_file != NULL ? trace_file : getenv("TLBLAB_TRACE");
    if (trace == NULL || *trace == '\0')
        die_usage("where does the trace go? Give --trace FILE");
    check_trace(trace);
    if (misses_machine != NULL)
        check_machine();
}

int main(int argc, char **argv)
{
    static const char *const places[] = {"/../../lib/tlblab/tlbrun.so",
                                         "/.obj/plain/runtime/tlbrun.so", "/../runtime/tlbrun.so",
                                         NULL};
    int first = args_parse(&program, argc, argv), count = 0;
    if (first == argc)
        die_usage("which command?");
    check_files();
    char name[64], head[SCRIPT_HEAD], *script[2], **words;
    int script_words;
    const char *file = find_program(&argv[first], head, script, &script_words);
    const char *architecture = architecture_of(file, head);
    words = allocate((size_t)(argc - first) + 12, sizeof *words);
    snprintf(name, sizeof name, "qemu-%s", architecture);
    const char *emulator = qemu != NULL ? qemu : name;
    if (!has_plugins(emulator))
        die("%s: it was built without plugins: Debian 12's qemu-user has them", emulator);
    set_environment();
    words[count++] = (char *)emulator;
    words[count++] = (char *)"-plugin";
    const char *plugin = beside_find(places);
    words[count++] = (char *)undivided(plugin);
    if (is_own(architecture)) {
        words[count++] = (char *)"-E";
        words[count++] = preload(plugin);
    }
    words[count++] = (char *)"-U";
    words[count++] = (char *)"TLBLAB_TRACE,TLBLAB_TLBSIM_PROCESS";
    words[count++] = (char *)"-0";
    words[count++] = argv[first];
    words[count++] = (char *)file;
    for (int i = 0; i < script_words; i++)
        words[count++] = script[i];
    for (int i = first + 1; i < argc; i++)
        words[count++] = argv[i];
    execvp(emulator, words);
    die("%s: cannot be started: %s", emulator, strerror(errno));
}
