/* support.c: linked to every harness of labs/NN-slug/harness.c, and apart from the student's
 * program.
 *
 * main() of the program is harness_main(), and after it comes a word that the check draws anew for
 * each run: see `ask` in ask.sh; `together` there asks several questions. The clocks that a
 * program can ask are the real ones until harness_simulate() stops them; then they go on by
 * harness_pass() alone. */
#define _DEFAULT_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/times.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "support.h"

/* Memory that begins `bytes` before a page that may not be read. */
void *harness_guarded(unsigned long bytes)
{
    unsigned long page = (unsigned long)sysconf(_SC_PAGESIZE);
    unsigned long whole = (bytes + page - 1) / page * page;
    char *map = mmap(NULL, whole + page, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    if (map == MAP_FAILED || mprotect(map + whole, page, PROT_NONE) != 0)
        exit(3);
    return map + whole - bytes;
}

char *harness_known(unsigned long page_bytes, int pages, int seed)
{
    unsigned long bytes = page_bytes * (unsigned long)pages;
    char *memory = harness_guarded(bytes);

    memset(memory, 101, bytes);
    for (int p = 0; p < pages; p++)
        memory[(unsigned long)p * page_bytes] = (char)(1 + (7 * p + seed) % 100);
    return memory;
}

int harness_touched(const char *memory, unsigned long page_bytes, int pages)
{
    int count = 0;

    for (int p = 0; memory != NULL && p < pages; p++)
        count += memory[(unsigned long)p * page_bytes] == 1;
    return count;
}

/* ---- clocks ---- */

static struct {
    int on;
    double process_ns, wall_ns, ask_ns, step_ns;
} simulated;

void harness_simulate(double ask_ns, double step_ns)
{
    simulated.on = 1;
    simulated.ask_ns = ask_ns;
    simulated.step_ns = step_ns;
    simulated.process_ns = 12345678000.0;
    simulated.wall_ns = 987654321000.0;
}

void harness_pass(double process_ns, double wall_ns)
{
    simulated.process_ns += process_ns;
    simulated.wall_ns += wall_ns;
}

/* What the clock shows; to ask takes time, too. */
static double shown(double *clock_ns)
{
    double ns = simulated.step_ns > 0
                    ? (double)(long)(*clock_ns / simulated.step_ns) * simulated.step_ns
                    : *clock_ns;

    harness_pass(simulated.ask_ns, simulated.ask_ns);
    return ns;
}

int __real_clock_gettime(clockid_t, struct timespec *);
clock_t __real_clock(void);
int __real_getrusage(int, struct rusage *);
int __real_gettimeofday(struct timeval *, void *);
time_t __real_time(time_t *);
clock_t __real_times(struct tms *);
int __real_timespec_get(struct timespec *, int);

int __wrap_clock_gettime(clockid_t id, struct timespec *now)
{
    if (!simulated.on)
        return __real_clock_gettime(id, now);
    int process = id == CLOCK_PROCESS_CPUTIME_ID || id == CLOCK_THREAD_CPUTIME_ID;
    double ns = shown(process ? &simulated.process_ns : &simulated.wall_ns);

    now->tv_sec = (time_t)(ns / 1e9);
    now->tv_nsec = (long)(ns - (double)now->tv_sec * 1e9);
    return 0;
}

clock_t __wrap_clock(void)
{
    return simulated.on ? (clock_t)(shown(&simulated.process_ns) * CLOCKS_PER_SEC / 1e9)
                        : __real_clock();
}

int __wrap_getrusage(int who, struct rusage *usage)
{
    int status = __real_getrusage(who, usage);

    if (simulated.on) {
        double ns = shown(&simulated.process_ns);
        usage->ru_utime.tv_sec = (time_t)(ns / 1e9);
        usage->ru_utime.tv_usec = (suseconds_t)(ns / 1e3 - (double)usage->ru_utime.tv_sec * 1e6);
        usage->ru_stime.tv_sec = usage->ru_stime.tv_usec = 0;
    }
    return status;
}

int __wrap_gettimeofday(struct timeval *now, void *zone)
{
    if (!simulated.on)
        return __real_gettimeofday(now, zone);
    double ns = shown(&simulated.wall_ns);

    now->tv_sec = (time_t)(ns / 1e9);
    now->tv_usec = (suseconds_t)(ns / 1e3 - (double)now->tv_sec * 1e6);
    return 0;
}

time_t __wrap_time(time_t *now)
{
    if (!simulated.on)
        return __real_time(now);
    time_t s = (time_t)(shown(&simulated.wall_ns) / 1e9);

    if (now != NULL)
        *now = s;
    return s;
}

clock_t __wrap_times(struct tms *used)
{
    clock_t now = __real_times(used);

    if (simulated.on) {
        double ticks = (double)sysconf(_SC_CLK_TCK);
        used->tms_utime = (clock_t)(shown(&simulated.process_ns) * ticks / 1e9);
        used->tms_stime = 0;
        now = (clock_t)(shown(&simulated.wall_ns) * ticks / 1e9);
    }
    return now;
}

int __wrap_timespec_get(struct timespec *now, int base)
{
    if (!simulated.on)
        return __real_timespec_get(now, base);
    return __wrap_clock_gettime(CLOCK_REALTIME, now) == 0 ? base : 0;
}

double harness_process_s(void)
{
    struct timespec now;

    __real_clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

double harness_wall_s(void)
{
    struct timespec now;

    __real_clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

void harness_tell_time(double (*measure)(long), long loads)
{
    measure(loads / 10);
    double process = harness_process_s(), wall = harness_wall_s();
    double ns = measure(loads);

    process = harness_process_s() - process;
    wall = harness_wall_s() - wall;
    printf("%.6g %.6f %.6f\n", ns, process, wall);
}

/* ---- from the first line to the last ---- */

/* The word is read when the harness has ended: before that it is nowhere in the memory. */
static int answer(int argc, char **argv)
{
    int status = harness_main(argc, argv);
    char word[64];
    int file = open(AFTER, O_RDONLY);
    long count = file < 0 ? 0 : read(file, word, sizeof word);

    fflush(stdout);
    return write(1, word, count < 0 ? 0 : (size_t)count) < 0 ? 2 : status;
}

/* Runs the program argv[0] in a process of its own, with seconds of processor time; this program
 * itself goes on from here. Returns what a shell says of its end. */
static int answer_apart(int argc, char **argv, const char *itself, unsigned long seconds, FILE *out,
                        FILE *err)
{
    struct rlimit limit = {seconds, seconds + 1};
    int status = 0;
    pid_t child = fork();

    if (child == 0) {
        setrlimit(RLIMIT_CPU, &limit);
        dup2(fileno(out), 1);
        dup2(fileno(err), 2);
        close(fileno(out));
        close(fileno(err));
        if (strcmp(argv[0], itself) == 0)
            exit(answer(argc, argv));
        execv(argv[0], argv);
        exit(127);
    }
    if (child < 0 || waitpid(child, &status, 0) != child)
        exit(2);
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

/* The lines of a file; one without an end counts. */
static long lines_of(FILE *file)
{
    long lines = 0;
    int last = '\n';

    rewind(file);
    for (int c; (c = getc(file)) != EOF; last = c)
        lines += c == '\n';
    return lines + (last != '\n');
}

static void copy_lines(FILE *file)
{
    int last = '\n';

    rewind(file);
    for (int c; (c = getc(file)) != EOF; last = c)
        putchar(c);
    if (last != '\n')
        putchar('\n');
    fclose(file);
}

/* together SECONDS / ./PROGRAM ARGUMENT... / ./PROGRAM ARGUMENT...: prints for each its status, and
 * how many lines of stdout and of stderr follow. After two that had all their time it asks no more.
 */
static int answer_each(int argc, char **argv)
{
    unsigned long seconds = strtoul(argv[2], NULL, 10);

    for (int from = 3, to, late = 0; from < argc && late < 2; from = to) {
        for (to = from + 1; to < argc && strcmp(argv[to], "/") != 0; to++)
            ;
        char *next = argv[to];
        FILE *out = tmpfile(), *err = tmpfile();

        if (out == NULL || err == NULL || to - from < 2)
            return 2;
        argv[to] = NULL;
        int status = answer_apart(to - from - 1, argv + from + 1, argv[0], seconds, out, err);

        argv[to] = next;
        late += status == 128 + SIGXCPU;
        printf("%d %ld %ld\n", status, lines_of(out), lines_of(err));
        copy_lines(out);
        copy_lines(err);
        fflush(stdout);
    }
    return 0;
}

int __wrap_main(int, char **);
int __wrap_main(int argc, char **argv)
{
    return argc > 3 && strcmp(argv[1], "together") == 0 ? answer_each(argc, argv)
                                                        : answer(argc, argv);
}
