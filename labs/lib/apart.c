/* apart: runs commands in the sandbox, one after the other, each in a process of its own, and
 * prints what each of them did. No code of a student is ever in this process.
 *
 * Usage: apart SECONDS plain|trace COMMAND [ARGUMENT...] [/ plain|trace COMMAND [ARGUMENT...]]...
 * Example: apart 3 plain ./program read / trace ./program go 20
 *
 * Each command gets SECONDS of processor time; 0: no limit of its own. For each there is a line
 *
 *     STATUS MICROSECONDS OUT ERR ACCESSES INSTRUCTIONS
 *
 * with its exit status as a shell has it, its processor time, and the bytes of the three parts that
 * follow: what it wrote to stdout and to stderr, and its accesses to memory, as valgrind's lackey
 * lists them: ` L ADDRESS,BYTES` is a load, ` S` a store, ` M` both; and its system calls.
 * INSTRUCTIONS is how many it executed. Without `trace` there are none; `-` stands where lackey
 * itself counts another number: then the command has written to the list. Valgrind keeps it from
 * the descriptor of the list, which is among the last; and an instruction has two accesses at most,
 * so more at once are no part of it.
 *
 * A command that leaves a process behind is the last one: the process could disturb the others. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { DESCRIPTORS = 48, LIST = 60, MOST = 64, AT_ONCE = 2 };

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

/* What comes through the pipe, as a file. Lackey writes each line by itself, so it would be slow to
 * wake up for each of them. */
static FILE *gather(int pipe_end)
{
    static char bytes[1 << 20];
    FILE *list = tmpfile();

    if (list == NULL)
        fail("a temporary file");
    for (ssize_t count; (count = read(pipe_end, bytes, sizeof bytes)) > 0;) {
        fwrite(bytes, 1, (size_t)count, list);
        nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
    }
    close(pipe_end);
    rewind(list);
    return list;
}

/* Copies the accesses from lackey's list, and returns how many instructions there were; -1 when
 * that is not what lackey states at its end. */
static int64_t copy_list(FILE *from, FILE *to)
{
    int64_t listed = 0, count = 0;
    int summaries = 0, at_once = 0;
    char line[256];

    while (fgets(line, sizeof line, from) != NULL) {
        if (line[0] == 'I') {
            listed++;
            at_once = 0;
        } else if (line[0] == ' ' && at_once++ < AT_ONCE) {
            fputs(line, to);
        } else if (strncmp(line, "SYSCALL", 7) == 0) {
            fputs(line, to);
        } else if (stated(line) >= 0) {
            count = stated(line);
            summaries++;
        }
    }
    return summaries == 1 && listed == count ? listed : -1;
}

static _Noreturn void become(char **command, rlim_t seconds, int traced, FILE *out, FILE *err,
                             int list)
{
    static char *lackey[] = {"valgrind", "--tool=lackey", "--trace-mem=yes", "--trace-syscalls=yes",
                             "--log-fd=60"};
    enum { WORDS = sizeof lackey / sizeof *lackey };
    struct rlimit limit = {seconds, seconds + 1}, descriptors = {DESCRIPTORS, MOST};

    if (seconds > 0)
        setrlimit(RLIMIT_CPU, &limit);
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
    setrlimit(RLIMIT_NOFILE, &descriptors);
    execvp(command[0], command);
    exit(127);
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
    pid_t child = fork();
    if (child < 0)
        fail("fork");
    if (child == 0)
        become(command, seconds, traced, out, err, ends[1]);
    close(ends[1]);
    FILE *list = gather(ends[0]);
    if (traced)
        instructions = copy_list(list, accesses);
    if (wait4(child, &status, 0, &used) != child)
        fail("wait4");
    fclose(list);
    printf("%d %lld %ld %ld ", WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status),
           (long long)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1000000 +
               used.ru_utime.tv_usec + used.ru_stime.tv_usec,
           size_of(out), size_of(err));
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
        argv[next < argc ? next++ : argc] = NULL;
        if (!run(argv + k + 1, seconds, strcmp(argv[k], "trace") == 0))
            return 3;
    }
    return 0;
}
