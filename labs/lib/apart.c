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
 * lists them: ` L ADDRESS,BYTES` is a load, ` S` a store, ` M` both. INSTRUCTIONS is how many it
 * executed. Without `trace` there are none, and `-` stands where the list is not what lackey
 * counted: then the command has written to it.
 *
 * A command that leaves a process behind is the last one: the process could disturb the others. */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LIST = 9 }; /* the descriptor to which lackey writes */

struct counts {
    int64_t instructions, loads, stores;
};

static _Noreturn void fail(const char *what)
{
    perror(what);
    exit(2);
}

/* The number in a line of lackey's summary, whose thousands have commas. */
static int64_t number(const char **text)
{
    int64_t value = 0;

    *text += strcspn(*text, "0123456789\n");
    for (; (**text >= '0' && **text <= '9') || **text == ','; ++*text)
        value = **text == ',' ? value : 10 * value + (**text - '0');
    return value;
}

/* A line of the summary. Returns 1 for the one that counts instructions. */
static int stated(const char *line, struct counts *counts)
{
    const char *text = strstr(line, "guest instrs:  "), *type = "IFVD";

    if (text != NULL) {
        counts->instructions += number(&text);
        return 1;
    }
    text = line + 2 + strspn(line + 2, "0123456789= ");
    if (*text != '\0' && strchr(type, *text) != NULL && text[1] >= '1' && text[1] <= '9') {
        text += strcspn(text, " ");
        counts->loads += number(&text);
        counts->stores += number(&text);
    }
    return 0;
}

/* Copies the accesses from lackey's list, and returns how many instructions there were; -1 when the
 * list differs from the summary at its end. */
static int64_t copy_list(FILE *from, FILE *to)
{
    struct counts listed = {0}, summary = {0};
    int summaries = 0;
    char line[256];

    while (fgets(line, sizeof line, from) != NULL) {
        listed.instructions += line[0] == 'I';
        listed.loads += strncmp(line, " L", 2) == 0 || strncmp(line, " M", 2) == 0;
        listed.stores += strncmp(line, " S", 2) == 0 || strncmp(line, " M", 2) == 0;
        if (line[0] == ' ')
            fputs(line, to);
        else if (line[0] == '=')
            summaries += stated(line, &summary);
    }
    return summaries == 1 && memcmp(&listed, &summary, sizeof listed) == 0 ? listed.instructions
                                                                           : -1;
}

static _Noreturn void become(char **command, rlim_t seconds, int traced, FILE *out, FILE *err,
                             int list)
{
    static char *lackey[] = {"valgrind",           "--tool=lackey",         "--trace-mem=yes",
                             "--basic-counts=yes", "--detailed-counts=yes", "--log-fd=9"};
    enum { WORDS = sizeof lackey / sizeof *lackey };
    struct rlimit limit = {seconds, seconds + 1};

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
    pid_t child = fork();
    if (child < 0)
        fail("fork");
    if (child == 0)
        become(command, seconds, traced, out, err, ends[1]);
    close(ends[1]);
    FILE *list = fdopen(ends[0], "r");
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
