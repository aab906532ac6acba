/* linux_run.c: runs a command on base pages only, or on huge pages. */
#define _GNU_SOURCE /* wait4(), pipe2() */
#include "platform.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

bool platform_self(char *path, size_t size)
{
    ssize_t length = readlink("/proc/self/exe", path, size - 1);
    path[length > 0 ? length : 0] = '\0';
    return length > 0;
}

/* Prepends a value to that of a variable, if it has one. */
static void put_before(const char *name, const char *value, char between)
{
    char text[8192];
    const char *was = getenv(name);
    snprintf(text, sizeof text, "%s%c%s", value, was != NULL && *was != '\0' ? between : '\0',
             was != NULL ? was : "");
    setenv(name, text, 1);
}

int platform_undivided(const char *file, bool inherited, char path[PLATFORM_PATH_ROOM])
{
    int flags = inherited ? O_RDONLY : O_RDONLY | O_CLOEXEC;
    int opened = strpbrk(file, " :,") != NULL ? open(file, flags) : -1;
    if (opened >= 0)
        snprintf(path, PLATFORM_PATH_ROOM, "/proc/%ld/fd/%d", (long)getpid(), opened);
    else
        snprintf(path, PLATFORM_PATH_ROOM, "%s", file);
    return opened;
}

/* Since Linux 6.18, huge pages can be restricted to memory that asks for them even if the system
 * gives them to all. */
static void choose_pages(enum platform_pages pages)
{
    static const unsigned long except_advised = 1ul << 1; /* PR_THP_DISABLE_EXCEPT_ADVISED */
    if (pages != PLATFORM_ADVISED || prctl(PR_SET_THP_DISABLE, 1, except_advised, 0, 0) != 0)
        prctl(PR_SET_THP_DISABLE, pages == PLATFORM_BASE ? 1 : 0, 0, 0, 0);
}

/* ---- counters ---- */

/* Counts in a process that has not started its command yet, and in all its children. */
static void open_counters(const struct platform_watch *watch, pid_t process,
                          int counters[PLATFORM_WATCHED])
{
    for (size_t i = 0; i < PLATFORM_WATCHED; i++) {
        counters[i] = -1;
        if (watch == NULL || i >= watch->count)
            continue;
        struct perf_event_attr attr = {.type = watch->event[i].type,
                                       .size = sizeof attr,
                                       .config = watch->event[i].config,
                                       .disabled = 1,
                                       .inherit = 1,
                                       .enable_on_exec = 1,
                                       .exclude_kernel = 1,
                                       .exclude_hv = 1,
                                       .read_format = PERF_FORMAT_TOTAL_TIME_ENABLED |
                                                      PERF_FORMAT_TOTAL_TIME_RUNNING};
        attr.config1 = watch->event[i].config1;
        attr.config2 = watch->event[i].config2;
        counters[i] = (int)syscall(SYS_perf_event_open, &attr, process, -1, -1,
                                   (unsigned long)PERF_FLAG_FD_CLOEXEC);
    }
}

static void close_counters(const int counters[PLATFORM_WATCHED], struct platform_usage *usage)
{
    for (size_t i = 0; i < PLATFORM_WATCHED; i++) {
        struct {
            uint64_t value, enabled, running;
        } now;
        usage->counted[i] = NAN;
        if (counters[i] < 0)
            continue;
        if (read(counters[i], &now, sizeof now) == (ssize_t)sizeof now && now.running > 0)
            usage->counted[i] = (double)now.value * (double)now.enabled / (double)now.running;
        close(counters[i]);
    }
}

/* ---- the command ---- */

/* Names an open file for the library (src/trace/runtime/answer.h), or none. */
static void pass_answer(int answer)
{
    char text[64] = "-1";
    struct stat is;
    if (answer >= 0 && fstat(answer, &is) == 0)
        snprintf(text, sizeof text, "%d %ju %ju", answer, (uintmax_t)is.st_dev,
                 (uintmax_t)is.st_ino);
    setenv("TLBLAB_HUGE_ANSWER", text, 1);
}

/* In the child: it ends with its parent; otherwise it would disturb later measurements. */
static void end_with(pid_t parent)
{
    prctl(PR_SET_PDEATHSIG, SIGTERM, 0, 0, 0);
    if (getppid() != parent) /* it has already ended */
        _exit(126);
}

/* In the child. Failures are written to `failure`, which exec() closes. */
_Noreturn static void become(char *const *command, const char *library, enum platform_pages pages,
                             bool silent, int answer, int failure, const int go[2])
{
    char begun;
    int null = open("/dev/null", O_RDWR);
    dup2(null, STDIN_FILENO);
    dup2(silent ? null : STDERR_FILENO, STDOUT_FILENO);
    if (silent)
        dup2(null, STDERR_FILENO);
    choose_pages(pages);
    if (pages == PLATFORM_HUGE)
        put_before("GLIBC_TUNABLES", "glibc.malloc.hugetlb=1", ':');
    put_before("LD_PRELOAD", library, ' ');
    setenv("TLBLAB_HUGE", pages == PLATFORM_BASE ? "0" : "1", 1);
    pass_answer(answer);
    close(go[1]);
    if (read(go[0], &begun, 1) < 0) /* returns when the counters are open */
        _exit(126);
    execvp(command[0], command);
    int error = errno;
    if (write(failure, &error, sizeof error) < 0)
        _exit(126);
    _exit(127);
}

/* ---- its memory ---- */

/* Keeps the largest process's peak. */
static void keep_largest(unsigned long long rss_kib, unsigned long long huge_kib,
                         struct platform_usage *usage)
{
    if (rss_kib * 1024 > usage->rss) {
        usage->rss = rss_kib * 1024;
        usage->huge_bytes = huge_kib * 1024;
    }
}

/* "rss huge" in KiB, from the library at the end of each process. */
static void read_answer(int answer, struct platform_usage *usage)
{
    char text[4096];
    ssize_t got = read(answer, text, sizeof text - 1);
    unsigned long long rss, huge;
    text[got > 0 ? got : 0] = '\0';
    for (char *line = text; *line != '\0';
         line += strcspn(line, "\n") + (strchr(line, '\n') != NULL))
        if (sscanf(line, "%llu %llu", &rss, &huge) == 2)
            keep_largest(rss, huge, usage);
}

/* The current memory of a process and all its descendants. */
static void look_at(long process, struct platform_usage *usage)
{
    char path[64], line[256];
    unsigned long long rss = 0, huge = 0;
    long child;
    snprintf(path, sizeof path, "/proc/%ld/smaps_rollup", process);
    FILE *smaps = fopen(path, "re");
    while (smaps != NULL && fgets(line, sizeof line, smaps) != NULL) {
        sscanf(line, "Rss: %llu", &rss);
        sscanf(line, "AnonHugePages: %llu", &huge);
    }
    if (smaps != NULL)
        fclose(smaps);
    keep_largest(rss, huge, usage);
    snprintf(path, sizeof path, "/proc/%ld/task/%ld/children", process, process);
    FILE *children = fopen(path, "re");
    while (children != NULL && fscanf(children, "%ld", &child) == 1)
        look_at(child, usage);
    if (children != NULL)
        fclose(children);
}

/* Samples the command's memory until it ends, since by then most may be freed: every few
 * milliseconds at first, then less and less often. */
static void look_until_it_ends(pid_t child, struct platform_usage *usage)
{
    static const double often_s = 1e-3, seldom_s = 0.05; /* [prior] */
    siginfo_t ended = {0};
    for (double pause_s = often_s;
         waitid(P_PID, (id_t)child, &ended, WEXITED | WNOHANG | WNOWAIT) == 0 && ended.si_pid == 0;
         pause_s = fmin(1.25 * pause_s, seldom_s)) {
        look_at(child, usage);
        platform_sleep(pause_s);
    }
}

static double seconds(struct timeval t)
{
    return (double)t.tv_sec + 1e-6 * (double)t.tv_usec;
}

static void wait_for(pid_t child, uint64_t begin_ns, struct platform_usage *usage)
{
    struct rusage used;
    int status = 0;
    while (wait4(child, &status, 0, &used) < 0 && errno == EINTR)
        ;
    usage->wall_s = (double)(platform_now_ns() - begin_ns) / 1e9;
    usage->user_s = seconds(used.ru_utime);
    usage->system_s = seconds(used.ru_stime);
    usage->rss_max = (uint64_t)used.ru_maxrss * 1024;
    usage->status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static void close_all(const int *descriptors, int count)
{
    for (int i = 0; i < count; i++)
        close(descriptors[i]);
}

bool platform_run(char *const *command, const char *library, enum platform_pages pages, bool ask,
                  bool silent, const struct platform_watch *watch, struct platform_usage *usage,
                  char why[PLATFORM_WHY_ROOM])
{
    char path[PLATFORM_PATH_ROOM];
    int answer[2], failure[2], go[2], counters[PLATFORM_WATCHED], error = 0;
    *usage = (struct platform_usage){0};
    if (pipe2(answer, O_NONBLOCK) != 0 || pipe2(failure, O_CLOEXEC) != 0 ||
        pipe2(go, O_CLOEXEC) != 0) {
        snprintf(why, PLATFORM_WHY_ROOM, "%s", strerror(errno));
        return false;
    }
    fcntl(answer[0], F_SETFD, FD_CLOEXEC);
    int opened = platform_undivided(library, false, path);
    pid_t parent = getpid(), child = fork();
    if (child == 0) {
        end_with(parent);
        become(command, path, pages, silent, ask ? answer[1] : -1, failure[1], go);
    }
    open_counters(child > 0 ? watch : NULL, child, counters);
    uint64_t begin = platform_now_ns();
    close_all((int[]){go[0], go[1], failure[1], answer[1]}, 4);
    if (child < 0 || read(failure[0], &error, sizeof error) < 0)
        error = errno;
    if (child > 0 && ask && pages == PLATFORM_HUGE)
        look_until_it_ends(child, usage);
    if (child > 0)
        wait_for(child, begin, usage);
    close_counters(counters, usage);
    read_answer(answer[0], usage);
    close_all((int[]){answer[0], failure[0], opened}, opened >= 0 ? 3 : 2);
    if (error != 0)
        snprintf(why, PLATFORM_WHY_ROOM, "%s: %s", command[0], strerror(error));
    return error == 0;
}
