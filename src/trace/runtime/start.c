/* start.c: starts tlbsim before the program begins, and waits for it at the end.
 *
 * TLBLAB_TRACE: file, or |command; without it nothing is traced. TLBLAB_MACHINE, TLBLAB_RECORD
 * (accesses or misses), TLBLAB_PAGES: options of tlbsim. TLBLAB_FILTER=1: only the last page is
 * left out, not the last four. TLBLAB_MAX_BYTES, TLBLAB_MAX_SECONDS: the trace ends there, the
 * program goes on. TLBLAB_START=off: tracing begins at tlb_trace_on(). TLBLAB_TLBSIM:
 * another tlbsim than the one beside tlbcc. See tlbcc(1). */
#define _GNU_SOURCE
#include "runtime.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef TLBSIM_PATH
#define TLBSIM_PATH "tlbsim"
#endif

int finished_pipe; /* -1: none */

/* Appends a word in quotes of the shell; false where there is no room. */
static bool quote(char *line, size_t room, const char *word)
{
    size_t used = strnlen(line, room);
    if (used + 4 > room) /* blank, two quotes, end */
        return false;
    line[used++] = ' ';
    line[used++] = '\'';
    for (; *word != '\0'; word++) {
        if (used + 6 > room) /* '\'' and what is after the last word */
            return false;
        if (*word == '\'') {
            memcpy(line + used, "'\\'", 3);
            used += 3;
        }
        line[used++] = *word;
    }
    line[used++] = '\'';
    line[used] = '\0';
    return true;
}

/* Whether only misses are recorded. */
static bool wants_misses(void)
{
    const char *record = getenv("TLBLAB_RECORD"), *machine = getenv("TLBLAB_MACHINE");
    bool misses = record != NULL && strcmp(record, "misses") == 0;
    if (record != NULL && *record != '\0' && !misses && strcmp(record, "accesses") != 0)
        complain("TLBLAB_RECORD is accesses or misses: accesses are recorded");
    if (misses && machine == NULL)
        complain("TLBLAB_RECORD=misses needs TLBLAB_MACHINE: accesses are recorded");
    return misses && machine != NULL;
}

/* The command line of tlbsim, for a shell. */
static bool tlbsim_command(char *line, size_t room, const char *trace)
{
    const char *tlbsim = getenv("TLBLAB_TLBSIM");
    const char *machine = getenv("TLBLAB_MACHINE"), *pages = getenv("TLBLAB_PAGES");
    bool misses = wants_misses(), fits;
    snprintf(line, room, "%s", *trace == '|' ? "" : "exec");
    fits = quote(line, room, tlbsim != NULL ? tlbsim : TLBSIM_PATH) &&
           quote(line, room, "--ring") && quote(line, room, "3"); /* TLBSIM_RING */
    if (misses)
        fits = fits && quote(line, room, "--machine") && quote(line, room, machine);
    if (misses && pages != NULL)
        fits = fits && quote(line, room, "--page-size") && quote(line, room, pages);
    size_t used = strnlen(line, room);
    if (*trace == '|')
        fits = fits && snprintf(line + used, room - used, " | (%s) || echo >&%d", trace + 1,
                                TLBSIM_PIPE) < (int)(room - used);
    return fits;
}

/* A file that another traced program writes (this one's caller) is left to it. */
static int open_trace(const char *name)
{
    char own[4096];
    int file = open(name, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (file >= 0 && flock(file, LOCK_EX | LOCK_NB) != 0) {
        close(file);
        snprintf(own, sizeof own, "%s.%ld", name, (long)getpid());
        file = open(own, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
        if (file >= 0)
            flock(file, LOCK_EX);
    }
    if (file >= 0 && ftruncate(file, 0) != 0 && errno != EINVAL) {
        close(file);
        return -1;
    }
    return file;
}

/* In the child of a child: becomes tlbsim, which reads the ring from descriptor 3. Other
 * descriptors are closed, so that nobody waits for their end, except stderr and the pipe that
 * reports the end. */
_Noreturn static void become_tlbsim(const char *trace, int ring, int end_pipe)
{
    char line[8192], refused[400];
    sigset_t none;
    int file = *trace == '|' ? dup(STDOUT_FILENO) : open_trace(trace);
    const char *why = NULL;
    snprintf(refused, sizeof refused, "TLBLAB_TRACE: '%.300s' cannot be written: %s", trace,
             strerror(errno));
    if (file < 0)
        why = refused;
    else if (!tlbsim_command(line, sizeof line, trace))
        why = "TLBLAB_TRACE: the command line of tlbsim is too long";
    if (why != NULL) {
        complain(why);
        __atomic_store_n(&head->readiness, RING_FAILED, __ATOMIC_RELEASE);
        _exit(2);
    }
    int high_ring = fcntl(ring, F_DUPFD, 10), high_file = fcntl(file, F_DUPFD, 10);
    int high_end = fcntl(end_pipe, F_DUPFD, 10), null = open("/dev/null", O_RDWR);
    dup2(null, STDIN_FILENO);
    dup2(high_file, STDOUT_FILENO);
    dup2(high_ring, TLBSIM_RING);
    dup2(high_end, TLBSIM_PIPE);
    syscall(SYS_close_range, TLBSIM_PIPE + 1, ~0U, 0);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    signal(SIGINT, SIG_IGN); /* the program ends; then so does its trace */
    signal(SIGTERM, SIG_IGN);
    signal(SIGQUIT, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    unsetenv("TLBLAB_TRACE");
    unsetenv("LD_PRELOAD");
    execl("/bin/sh", "sh", "-c", line, (char *)NULL);
    _exit(2);
}

/* Starts tlbsim as nobody's child, so that the program's own wait() never meets it. */
static bool start_tlbsim(const char *trace, int ring)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return false;
    pid_t child = fork();
    if (child == 0) {
        if (fork() == 0)
            become_tlbsim(trace, ring, ends[1]);
        _exit(0);
    }
    close(ends[1]);
    finished_pipe = ends[0];
    if (child < 0 || waitpid(child, NULL, 0) != child)
        return false;
    struct pollfd end = {.fd = finished_pipe};
    while (__atomic_load_n(&head->readiness, __ATOMIC_ACQUIRE) == RING_STARTING)
        if (poll(&end, 1, 1) > 0)
            break;
    uint32_t readiness = __atomic_load_n(&head->readiness, __ATOMIC_ACQUIRE);
    return readiness == RING_READY || readiness == RING_WHOLE; /* the trace may be short */
}

static void note_command(void)
{
    int file = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
    ssize_t got = file >= 0 ? read(file, head->command, sizeof head->command - 1) : 0;
    for (ssize_t i = 0; i + 1 < got; i++)
        if (head->command[i] == '\0')
            head->command[i] = ' ';
    if (file >= 0)
        close(file);
}

/* A descriptor of tlbsim, opened anew. */
static int open_of_tlbsim(const char *process, int descriptor, int flags)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%.20s/fd/%d", process, descriptor);
    return open(path, flags | O_CLOEXEC);
}

/* The trace of the program that has executed this one goes on. */
static void go_on(const char *process)
{
    int ring = open_of_tlbsim(process, TLBSIM_RING, O_RDWR);
    struct stat is;
    void *memory = MAP_FAILED;
    if (ring >= 0 && fstat(ring, &is) == 0 && is.st_size == (off_t)RING_TOTAL_BYTES)
        memory = mmap(NULL, RING_TOTAL_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, ring, 0);
    if (ring >= 0)
        close(ring);
    if (memory == MAP_FAILED || ((struct ring_head *)memory)->version != RING_VERSION ||
        !prepare_threads()) {
        lose_trace("tlbsim has ended: nothing more is traced");
        return;
    }
    head = memory;
    finished_pipe = head->process == (uint32_t)getpid()
                        ? open_of_tlbsim(process, TLBSIM_PIPE, O_RDONLY)
                        : -1;
    prepare_orders();
    begin_executed(head);
    watch(&no_slot);
}

/* Memory for the ring, and its descriptor; MAP_FAILED: there is none. Beyond RLIMIT_FSIZE the
 * program would end by a signal. */
static void *map_ring(int *ring)
{
    void *memory = MAP_FAILED;
    void (*was)(int) = signal(SIGXFSZ, SIG_IGN);
    *ring = memfd_create("tlblab", MFD_CLOEXEC);
    if (*ring >= 0 && ftruncate(*ring, (off_t)RING_TOTAL_BYTES) == 0)
        memory = mmap(NULL, RING_TOTAL_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, *ring, 0);
    signal(SIGXFSZ, was);
    return memory;
}

static void begin_trace(const char *trace)
{
    const char *filter = getenv("TLBLAB_FILTER");
    if (*trace == '|' && fcntl(STDOUT_FILENO, F_GETFD) < 0) {
        lose_trace("TLBLAB_TRACE: stdout, which the command would have, is closed");
        return;
    }
    int ring;
    void *memory = map_ring(&ring);
    if (memory != MAP_FAILED) {
        head = memory;
        head->version = RING_VERSION;
        head->process = (uint32_t)getpid();
        head->recent = filter != NULL && strcmp(filter, "1") == 0 ? 1 : RECENT_PAGES;
        head->fetches = has_fetches;
        finished_pipe = -1;
        note_command();
        prepare_orders();
        if (!prepare_threads() || !start_tlbsim(trace, ring)) {
            head = NULL;
            lose_trace("tlbsim could not be started: nothing is traced");
        } else
            watch(&no_slot);
    } else
        lose_trace("there is no memory for the trace (limits: ulimit -v, ulimit -f): nothing is "
                   "traced");
    if (ring >= 0)
        close(ring);
}

/* Before everything else in the program, its own constructors included. */
__attribute__((constructor(101))) static void begin_tracing(void)
{
    const char *trace = getenv("TLBLAB_TRACE"), *start = getenv("TLBLAB_START");
    const char *tlbsim = getenv(TLBSIM_VARIABLE);
    inside = true;
    if (tlbsim != NULL)
        go_on(tlbsim);
    else if (trace != NULL && *trace != '\0')
        begin_trace(trace);
    tracing = has_traced = start == NULL || strcmp(start, "off") != 0;
    inside = false;
}

/* Whether a forked process still writes. */
static bool others_trace(const struct ring_head *shared)
{
    for (int i = 0; i < RING_SLOTS; i++) {
        const struct ring_slot *s = &shared->slots[i];
        if (__atomic_load_n(&s->state, __ATOMIC_ACQUIRE) == RING_TAKEN &&
            s->process != shared->process && kill((pid_t)s->process, 0) == 0)
            return true;
    }
    return false;
}

/* Whether tlbsim has written all that the processes recorded, and its command has not failed. */
static bool is_whole(const struct ring_head *shared)
{
    char failed;
    return read(finished_pipe, &failed, 1) == 0 && shared->lost == 0 &&
           __atomic_load_n(&shared->readiness, __ATOMIC_ACQUIRE) == RING_WHOLE;
}

/* Whether this is the process that began, which learns when tlbsim has ended. */
static bool is_first(const struct ring_head *shared)
{
    return (uint32_t)getpid() == shared->process && finished_pipe >= 0;
}

static void lose_rest(void)
{
    const char *trace = getenv("TLBLAB_TRACE");
    char why[400];
    snprintf(why, sizeof why, "%.300s: the trace is not whole, so the program's status is 2",
             trace != NULL ? trace : "-");
    lose_trace(why);
}

bool finish_trace(void)
{
    struct ring_head *shared = head_now();
    if (shared == NULL || !is_first(shared))
        return !has_lost_trace();
    inside = true;
    if (tlb_trace_slot != &no_slot)
        end_visits(tlb_trace_slot);
    if (!has_traced)
        complain("nothing is traced: the program has not called tlb_trace_on(), and no function of "
                 "--from");
    __atomic_store_n(&shared->exiting, 1, __ATOMIC_RELEASE);
    struct pollfd end = {.fd = finished_pipe};
    int ended;
    do
        ended = poll(&end, 1, 20);
    while (ended <= 0 && !others_trace(shared));
    if (ended > 0 && !is_whole(shared))
        lose_rest();
    finished_pipe = -1;
    return !has_lost_trace();
}

/* After everything else, but before the C library empties its buffers. */
__attribute__((destructor(101))) void end_tracing(void)
{
    const struct ring_head *shared = head_now();
    bool leaves = shared != NULL && !is_first(shared);
    if (!finish_trace()) {
        fflush(NULL);
        _exit(STATUS_LOST);
    }
    if (leaves) {
        inside = true;
        leave_trace();
    }
}
