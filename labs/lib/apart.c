/* apart: runs commands in the sandbox, one after the other, each in a process of its own, and
 * prints what each of them did. No code of a student is ever in this process.
 *
 * Usage: apart SECONDS plain|trace COMMAND [ARGUMENT...] [/ plain|trace COMMAND [ARGUMENT...]]...
 * Example: apart 3 plain ./program read / trace ./program go 20
 *
 * Each command gets SECONDS of processor time (0: no limit of its own), and may print 1 MiB. For
 * each there is a line
 *
 *     STATUS PROCESSOR_US WALL_US OUT ERR ACCESSES INSTRUCTIONS
 *
 * with its exit status as a shell has it, its processor time, the time on the clock, and the bytes
 * of the three parts that follow: what it wrote to stdout and to stderr, and its accesses to
 * memory, as valgrind's lackey lists them: ` L ADDRESS,BYTES` is a load, ` S` a store, ` M` both;
 * and its system calls. INSTRUCTIONS is how many it executed. Without `trace` there are none; `-`
 * if the command may have written to the list itself: lackey counts another number, or it made
 * another system call than those for computing, reading a clock, and printing.
 *
 * A command that leaves a process behind is the last one: the process could disturb the others. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    LIST = 9,        /* the descriptor to which lackey writes */
    OUTPUT = 1 << 20 /* how many bytes a command may print: a shell keeps its lines in memory */
};

static _Noreturn void fail(const char *what)
{
    perror(what);
    exit(2);
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

/* Whether a line is a system call that a program needs to compute, to read a clock, or to print.
 * With another one it could open the list, or copy its descriptor. */
static bool harmless(const char *line)
{
    static const char names[] =
        " ... unimplemented arch_prctl brk clock_gettime clock_nanosleep close exit exit_group "
        "fstat getpid getrandom getrusage gettimeofday ioctl lseek madvise mincore mmap mprotect "
        "mremap munmap nanosleep newfstat newfstatat prlimit64 read readlink readlinkat rseq "
        "rt_sigaction rt_sigprocmask sched_getaffinity sched_setaffinity sched_yield "
        "set_robust_list set_tid_address time times ";
    const char *call = strstr(line, ") ");
    char name[32] = " ";

    if (call == NULL)
        return false;
    call += strncmp(call, ") sys_", 6) == 0 ? 6 : 2;
    if (strncmp(call, "write ( ", 8) == 0)
        return atoi(call + 8) == 1 || atoi(call + 8) == 2;
    return sscanf(call, "%29[^ (]", name + 1) == 1 && strstr(names, strcat(name, " ")) != NULL;
}

/* What was read of lackey's list. */
struct list {
    int64_t listed, stated;
    int64_t text; /* how many were listed at the last line with a path in it */
    int summaries;
    bool started; /* what loads shared libraries, if the command has any, is done */
    bool own;     /* the command has not written to it */
    FILE *accesses;
};

/* `I  ADDRESS,BYTES`. No instruction has more than 15 bytes: that is a request to valgrind, which
 * can print text, or run a function unseen. */
static void read_instruction(struct list *list, const char *line)
{
    char *bytes = NULL;

    list->listed++;
    if (strtoull(line + 1, &bytes, 16) < 0x4000000)
        list->started = true;
    list->own = list->own && *bytes == ',' && atoi(bytes + 1) <= 15;
}

/* A path may have newlines and lines of its own in it. The call then begins in one line and ends in
 * another, and the command executed nothing between them. */
static void read_path(struct list *list)
{
    list->own = list->own && list->text != list->listed;
    list->text = list->listed;
}

static void read_line(struct list *list, const char *line)
{
    const bool call = strncmp(line, "SYSCALL", 7) == 0;

    if (strstr(line, "), ") != NULL || (call && strstr(line, "stat")) ||
        (call && strstr(line, "readlink")))
        read_path(list);
    if (call && list->started)
        list->own = list->own && harmless(line);
    if (line[0] == 'I') {
        read_instruction(list, line);
    } else if (line[0] == ' ') {
        fputs(line, list->accesses);
    } else if (call) {
        fprintf(list->accesses, "SYSCALL %lld %s", (long long)list->listed, line);
    } else if (stated(line) >= 0) {
        list->stated = stated(line);
        list->summaries++;
    }
}

/* Copies the accesses from lackey's list, and returns how many instructions there were; -1 when the
 * command may have written to it. Lackey writes each line by itself, so it would be slow to wake up
 * for each of them. */
static int64_t copy_list(int pipe_end, FILE *accesses)
{
    static char bytes[1 << 20];
    struct list list = {.text = -1, .own = true, .accesses = accesses};
    char line[1024];
    size_t length = 0;

    for (ssize_t count; (count = read(pipe_end, bytes, sizeof bytes)) > 0;) {
        for (ssize_t k = 0; k < count; k++) {
            if (length < sizeof line - 2)
                line[length++] = bytes[k];
            else
                list.own = false; /* none of valgrind's own is so long */
            if (bytes[k] != '\n')
                continue;
            line[length - 1] = '\n';
            line[length] = '\0';
            read_line(&list, line);
            length = 0;
        }
        nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
    }
    return list.own && list.summaries == 1 && list.listed == list.stated ? list.listed : -1;
}

static _Noreturn void become(char **command, rlim_t seconds, int traced, FILE *out, FILE *err,
                             int list)
{
    /* An earlier command may have left a .valgrindrc, with options that print more lines. */
    static char *lackey[] = {"valgrind",        "--command-line-only=yes", "--tool=lackey",
                             "--trace-mem=yes", "--trace-syscalls=yes",    "--log-fd=9"};
    enum { WORDS = sizeof lackey / sizeof *lackey };
    struct rlimit limit = {seconds, seconds + 1};

    if (seconds > 0)
        setrlimit(RLIMIT_CPU, &limit);
    setrlimit(RLIMIT_FSIZE, &(struct rlimit){OUTPUT, OUTPUT});
    dup2(fileno(out), 1);
    dup2(fileno(err), 2);
    if (traced) {
        int words = 0;
        while (command[words] != NULL)
            words++;
        char **longer = calloc((size_t)words + WORDS + 1, sizeof *longer);
        if (longer == NULL)
            exit(127);
        memcpy(longer, lackey, sizeof lackey);
        memcpy(longer + WORDS, command, (size_t)words * sizeof *longer);
        command = longer;
        dup2(list, LIST);
    }
    for (int descriptor = 3; descriptor < 256; descriptor++)
        if (!traced || descriptor != LIST)
            close(descriptor);
    execvp(command[0], command);
    exit(127);
}

static long long now_us(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (long long)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

/* The bytes of a file, which then begins again. */
static long size_of(FILE *file)
{
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    rewind(file);
    return size;
}

static void copy(FILE *file)
{
    char bytes[65536];

    for (size_t count; (count = fread(bytes, 1, sizeof bytes, file)) > 0;)
        fwrite(bytes, 1, count, stdout);
    fclose(file);
}

/* Returns whether no process of the command is left. */
static int run(char **command, rlim_t seconds, int traced)
{
    FILE *out = tmpfile(), *err = tmpfile(), *accesses = tmpfile();
    struct rusage used;
    int ends[2], status = 0;
    int64_t instructions = 0;

    if (out == NULL || err == NULL || accesses == NULL || pipe(ends) != 0)
        fail("a temporary file");
    fcntl(ends[1], F_SETPIPE_SZ, 1 << 20);
    long long began = now_us();
    pid_t child = fork();
    if (child < 0)
        fail("fork");
    if (child == 0)
        become(command, seconds, traced, out, err, ends[1]);
    close(ends[1]);
    if (traced)
        instructions = copy_list(ends[0], accesses);
    close(ends[0]);
    if (wait4(child, &status, 0, &used) != child)
        fail("wait4");
    if (ferror(accesses))
        fail("no room for the list of accesses");
    printf("%d %lld %lld %ld %ld ",
           WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status),
           (long long)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1000000 +
               used.ru_utime.tv_usec + used.ru_stime.tv_usec,
           now_us() - began, size_of(out), size_of(err));
    if (instructions >= 0)
        printf("%ld %lld\n", size_of(accesses), (long long)instructions);
    else
        printf("0 -\n");
    copy(out);
    copy(err);
    if (instructions >= 0)
        copy(accesses);
    fflush(stdout);
    return waitpid(-1, NULL, WNOHANG) < 0;
}

int main(int argc, char *argv[])
{
    rlim_t seconds = argc > 3 ? strtoul(argv[1], NULL, 10) : 0;

    /* Nobody may look into this process; and what its commands leave behind becomes its child. */
    prctl(PR_SET_DUMPABLE, 0);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    for (int k = 2, next; k + 1 < argc; k = next) {
        for (next = k + 1; next < argc && strcmp(argv[next], "/") != 0;)
            next++;
        if (next == k + 1) {
            fputs("Usage: apart SECONDS plain|trace COMMAND [ARGUMENT...] [/ ...]\n", stderr);
            return 2;
        }
        argv[next < argc ? next++ : argc] = NULL;
        if (!run(argv + k + 1, seconds, strcmp(argv[k], "trace") == 0))
            return 3;
    }
    return 0;
}
