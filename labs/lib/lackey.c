/* The list of what a command executed, as valgrind's lackey writes it: `I  ADDRESS,BYTES` is an
 * instruction, ` L` a load, ` S` a store, ` M` both, and there are lines about system calls.
 * Command and valgrind share a process. So the list counts only if the command did nothing with
 * which it could write there: no system call but those for computing, reading a clock and printing,
 * nothing in valgrind's own memory, and no text of its own in a line. */
#include "lackey.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    LARGEST = 64 << 20,       /* bytes of a list */
    FIRST_LIBRARY = 0x4000000 /* where valgrind puts what is loaded; a program is below */
};

/* Valgrind's own text is at 0x38000000 or 0x58000000, and its memory begins in the middle of the
 * 128 GiB that it has: the memory of the command is below, but for its stack, which is at the end.
 */
static bool of_valgrind(uint64_t address, uint64_t bytes)
{
    static const struct {
        uint64_t from, to;
    } part[] = {{0x38000000, 0x3a000000}, {0x58000000, 0x5a000000}, {0x1000000000, 0x1ffe000000}};

    for (size_t k = 0; k < sizeof part / sizeof *part; k++)
        if (address < part[k].to && (address >= part[k].from || bytes > part[k].from - address))
            return true;
    return false;
}

/* The number of instructions that lackey states, whose thousands have commas; -1 in other lines. */
static int64_t stated(const char *line)
{
    const char *text = strstr(line, "guest instrs:  ");
    int64_t value = 0;

    if (line[0] != '=' || text == NULL)
        return -1;
    for (text += strcspn(text, "0123456789"); (*text >= '0' && *text <= '9') || *text == ',';
         text++)
        value = *text == ',' ? value : 10 * value + (*text - '0');
    return value;
}

/* Whether an address in the line is near valgrind's text, or the memory there reaches into
 * valgrind's, with the number after it as its size: the kernel would change it, and the list would
 * not have that. Null stands for any address. */
static bool reaches_valgrind(const char *line)
{
    while ((line = strstr(line, "0x")) != NULL) {
        char *end = NULL;
        uint64_t address = strtoull(line, &end, 16),
                 bytes = strtoull(end + strspn(end, ", "), NULL, 10);
        if ((address >= 0x30000000 && address < 0x60000000) ||
            of_valgrind(address, address == 0 ? 0 : bytes))
            return true;
        line += 2;
    }
    return false;
}

/* Whether a line is a system call that a program needs to compute, to read a clock, or to print; or
 * which the loader of shared libraries needs, before it starts. */
static bool harmless(const char *line, bool started)
{
    static const char always[] =
        " unimplemented brk clock_gettime clock_nanosleep close exit exit_group "
        "fstat getpid getrandom getrusage gettimeofday ioctl lseek madvise mincore mmap mprotect "
        "mremap munmap nanosleep newfstat newfstatat prlimit64 read readlink readlinkat rseq "
        "rt_sigprocmask sched_getaffinity sched_setaffinity sched_yield "
        "set_robust_list set_tid_address time times ";
    static const char loader[] = " access faccessat openat pread64 ";
    const char *call = strstr(line, ") "), *flags;
    char name[32] = " ";

    if (call == NULL)
        return false;
    call += strncmp(call, ") sys_", 6) == 0 ? 6 : 2;
    if (strncmp(call, "write ( ", 8) == 0)
        return started && (atoi(call + 8) == 1 || atoi(call + 8) == 2);
    if (sscanf(call, "%29[^ (]", name + 1) != 1)
        return false;
    strcat(name, " ");
    if (strcmp(name, " arch_prctl ") == 0) /* to set a register, not to read one */
        return strncmp(call, "arch_prctl ( 4098, ", 19) == 0;
    if (strcmp(name, " openat ") == 0) /* for reading alone */
        return !started && (flags = strstr(call, "), ")) != NULL && atoi(flags + 3) % 4 == 0;
    return strstr(always, name) != NULL || (!started && strstr(loader, name) != NULL);
}

/* No instruction has more than 15 bytes: that is a request to valgrind, which can print text, or
 * run a function unseen. */
static void read_instruction(struct list *list, const char *line)
{
    char *bytes = NULL;
    uint64_t address = strtoull(line + 1, &bytes, 16);

    list->listed++;
    if (address < FIRST_LIBRARY)
        list->started = true;
    list->own = list->own && *bytes == ',' && atoi(bytes + 1) <= 15 && !of_valgrind(address, 15);
}

/* A path may have newlines and lines of its own in it. The call then begins in one line and ends in
 * another, and the command executed nothing between them. */
static void read_path(struct list *list)
{
    list->own = list->own && list->text != list->listed;
    list->text = list->listed;
}

/* Copies a line; that of a system call says after how many instructions it was. */
static void keep(struct list *list, const char *line)
{
    if (list->bytes > LARGEST)
        return;
    if (line[0] != ' ')
        fprintf(list->accesses, "SYSCALL %lld ", (long long)list->listed);
    fputs(line, list->accesses);
    list->bytes += strlen(line);
}

/* A line ends with a call whose outcome is in another one: after ` -->`, or with the call once
 * more. */
static void read_call(struct list *list, const char *line)
{
    const bool outcome = strstr(line, ") ... [async] --> ") != NULL;

    list->own = list->own && (outcome ? list->waits : harmless(line, list->started)) &&
                !reaches_valgrind(line);
    list->waits = strstr(line, " --> [async] ... \n") != NULL ||
                  strstr(line, "(ni_syscall)\n") != NULL;
    keep(list, line);
}

static void read_access(struct list *list, const char *line)
{
    char *end = NULL;
    const bool access = (line[1] == 'L' || line[1] == 'S' || line[1] == 'M') && line[2] == ' ';
    const uint64_t address = access ? strtoull(line + 3, &end, 16) : 0;

    if (access && *end == ',')
        list->own = list->own && !of_valgrind(address, 64) && strtoul(end + 1, &end, 10) <= 64 &&
                    strcmp(end, "\n") == 0;
    else
        list->own = list->own && list->waits && strncmp(line, " --> [pre-fail] Failure(", 24) == 0;
    list->waits = false;
    keep(list, line);
}

static void read_line(struct list *list, const char *line)
{
    const bool call = strncmp(line, "SYSCALL", 7) == 0;

    if (strstr(line, "), ") != NULL || (call && strstr(line, "stat")) ||
        (call && strstr(line, "readlink")))
        read_path(list);
    if (line[0] == 'I') {
        read_instruction(list, line);
    } else if (line[0] == ' ') {
        read_access(list, line);
    } else if (call) {
        read_call(list, line);
    } else if (stated(line) >= 0) {
        list->stated = stated(line);
        list->summaries++;
    }
}

bool list_read(struct list *list, int pipe_end)
{
    static char bytes[1 << 20];
    bool any = false;

    for (ssize_t count; (count = read(pipe_end, bytes, sizeof bytes)) > 0; any = true) {
        for (ssize_t k = 0; k < count; k++) {
            if (list->length < sizeof list->line - 2)
                list->line[list->length++] = bytes[k];
            else
                list->own = false; /* none of valgrind's own is so long */
            if (bytes[k] != '\n')
                continue;
            list->line[list->length - 1] = '\n';
            list->line[list->length] = '\0';
            read_line(list, list->line);
            list->length = 0;
        }
    }
    return any;
}

int64_t list_instructions(const struct list *list)
{
    bool whole = list->own && list->bytes <= LARGEST && !ferror(list->accesses);

    return whole && list->summaries == 1 && list->listed == list->stated ? list->listed : -1;
}
