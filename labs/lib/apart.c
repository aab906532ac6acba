/* apart: the first process of the sandbox: it runs commands, one after the other, and reports what
 * each of them did. No code of a student is ever in this process, and nobody in the sandbox can
 * look into it or open what it has open.
 *
 * Usage: apart <REQUESTS 3<FILES.tar 5>NEWS >REPORT; labs/lib/sandbox is what starts it
 *
 * REQUESTS are words, each with a zero byte at its end:
 *
 *     FOLDER SECONDS WALL PATIENCE FILE_KIB NAMES NAME...   then for each command
 *     WAY WORDS WORD...                                     and where WAY is talk
 *     PARTS PART...
 *
 * Each command begins with no other process, and in FOLDER/work, which has the files anew and
 * nothing else. It gets SECONDS of processor time and WALL seconds on the clock, may wait for
 * PATIENCE seconds altogether, and may write FILE_KIB into a file. The WAY is `free`; or, with
 * threads but no other process, `plain`, `trace` (by valgrind's lackey) or `talk`, which sends a
 * PART when the command has answered the one before, that is, has printed the random line that
 * replaced @MARK@ there; or `reach`, which shows what a command could reach.
 *
 * REPORT is a tar archive, with a folder 1, 2, ... for each command: in it are `output` and `err`,
 * what it wrote to stdout and to stderr (of a talk, the answer to the first PART); `accesses`, the
 * list of lackey.c; in `fetched` each NAME, if it ended well; and as the last one `how`, a line
 *
 *     WHY NUMBER PROCESSOR_US WALL_US INSTRUCTIONS
 *
 * WHY and NUMBER are what `sandbox --how` writes. INSTRUCTIONS are `-` if the list may be false.
 * NEWS has a line `ran WHY NUMBER PROCESSOR_US` for each. */
#define _GNU_SOURCE
#include "lackey.h"
#include "reach.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    FILES = 3, /* descriptors */
    NEWS = 5,
    MOST_FILES = 4096,
    MOST_BYTES = 64 << 20, /* of all files of the folder */
    MOST_PROCESSES = 256,  /* that are looked at */
    MOST_THREADS = 256,
    MOST_WORDS = 512,
    MARK = 24
};

static struct {
    const char *folder;
    rlim_t seconds, wall, patience, file_bytes;
    size_t names;
    char **name;
    const char *archive;
    size_t archive_bytes;
} settings;

static _Noreturn void refuse(const char *what)
{
    dprintf(NEWS, "refused %s\n", what);
    exit(125);
}

static int64_t now_us(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

static int64_t used_us(void)
{
    struct rusage used;

    getrusage(RUSAGE_CHILDREN, &used);
    return (int64_t)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1000000 +
           used.ru_utime.tv_usec + used.ru_stime.tv_usec;
}

static bool is_first(void)
{
    return getpid() == 1;
}

/* ---- other processes ---- */

struct process {
    int number, parent, session;
    char state;
    int64_t used; /* microseconds of the processor, with those of children that ended */
};

static bool look_up(struct process *process, const char *name)
{
    char path[300], line[1024];
    unsigned long long time[4] = {0};
    const char *rest = NULL;

    snprintf(path, sizeof path, "/proc/%s/stat", name);
    FILE *file = fopen(path, "re");
    if (file == NULL)
        return false;
    if (fgets(line, sizeof line, file) != NULL)
        rest = strrchr(line, ')');
    fclose(file);
    if (rest == NULL ||
        sscanf(rest, ") %c %d %*d %d %*d %*d %*u %*u %*u %*u %*u %llu %llu %llu %llu",
               &process->state, &process->parent, &process->session, time, time + 1, time + 2,
               time + 3) != 7)
        return false;
    process->number = atoi(name);
    process->used = (int64_t)(time[0] + time[1] + time[2] + time[3]) * 1000000 /
                    sysconf(_SC_CLK_TCK);
    return process->number != getpid() &&
           (is_first() || process->session == getsid(0) || process->parent == getpid());
}

/* Lists the other processes: of the sandbox, or where it has no namespace of its own, of the
 * session. */
static size_t others(struct process list[MOST_PROCESSES])
{
    DIR *all = opendir("/proc");
    size_t count = 0;

    for (struct dirent *entry; all != NULL && (entry = readdir(all)) != NULL;)
        if (isdigit((unsigned char)entry->d_name[0]) && count < MOST_PROCESSES &&
            look_up(list + count, entry->d_name))
            count++;
    if (all != NULL)
        closedir(all);
    return count;
}

/* Ends all others. Where this is not the first process, the children of one that ended become its
 * own. */
static void end_all(void)
{
    struct process list[MOST_PROCESSES];

    do {
        if (is_first())
            kill(-1, SIGKILL);
        for (size_t count = is_first() ? 0 : others(list); count > 0; count--)
            if (list[count - 1].parent == getpid())
                kill(list[count - 1].number, SIGKILL);
    } while (wait(NULL) > 0 || errno != ECHILD);
}

/* The state of a command so far. */
struct look {
    int64_t began, last;    /* moments */
    int64_t used, ready;    /* of the processor; and in which a thread had it or wanted it */
    int64_t idle;           /* in which none did */
    int64_t seen;           /* of `used`, in threads that were there at a look */
    int64_t most_ran, most; /* by which a thread's times grew since the last look */
    bool reading;
    size_t running; /* processes */
    size_t threads, before;
    struct thread {
        int number;
        int64_t ran, ready;
    } thread[MOST_THREADS], old[MOST_THREADS];
};

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* A thread that waits for another one of its own process is not one that the machine keeps waiting:
 * so only the one that grew most counts, and the time of all cannot be more than that on the clock.
 */
static void look_at_thread(struct look *look, int process, int number)
{
    char path[64];
    unsigned long long ran = 0, waited = 0;
    int64_t old_ran = 0, old_ready = 0;

    snprintf(path, sizeof path, "/proc/%d/task/%d/schedstat", process, number);
    FILE *file = look->threads < MOST_THREADS ? fopen(path, "re") : NULL;
    if (file == NULL)
        return;
    if (fscanf(file, "%llu %llu", &ran, &waited) == 2) {
        struct thread *thread = look->thread + look->threads++;
        *thread = (struct thread){number, (int64_t)ran / 1000, (int64_t)(ran + waited) / 1000};
        for (size_t k = 0; k < look->before; k++)
            if (look->old[k].number == number)
                old_ran = look->old[k].ran, old_ready = look->old[k].ready;
        look->most_ran = larger(look->most_ran, thread->ran - old_ran);
        look->most = larger(look->most, thread->ready - old_ready);
    }
    fclose(file);
}

static void look_at(struct look *look, const struct process *process)
{
    struct process thread;
    char path[300];
    bool running = false;

    look->used += process->used;
    look->reading = look->reading || process->state == 'D';
    snprintf(path, sizeof path, "/proc/%d/task", process->number);
    DIR *threads = opendir(path);
    for (struct dirent *entry; threads != NULL && (entry = readdir(threads)) != NULL;) {
        if (!isdigit((unsigned char)entry->d_name[0]))
            continue;
        look_at_thread(look, process->number, atoi(entry->d_name));
        snprintf(path, sizeof path, "%d/task/%.9s", process->number, entry->d_name);
        thread.state = '-';
        look_up(&thread, path);
        running = running || thread.state == 'R';
    }
    look->running += running;
    if (threads != NULL)
        closedir(threads);
}

static void look_around(struct look *look)
{
    struct process list[MOST_PROCESSES];
    int64_t now = now_us(), used = look->used, since = now - look->last;

    memcpy(look->old, look->thread, sizeof look->old);
    look->before = look->threads;
    look->threads = 0;
    look->used = look->most_ran = look->most = 0;
    look->reading = false;
    look->running = 0;
    for (size_t count = others(list); count > 0; count--)
        look_at(look, list + count - 1);
    /* A child of which nobody takes the status takes its time with it: processes that wait for the
     * processor together may have kept each other waiting all the time. */
    look->seen += look->running > 1 ? since : smaller(look->most_ran, since);
    look->ready += smaller(look->most, since);
    look->used = larger(larger(look->used, used), look->seen);
    look->last = now;
    /* If looks are rare, the machine is busy, and much is not seen. */
    if (!look->reading)
        look->idle += larger(smaller(since, 100000) - larger(look->used - used, look->most), 0);
}

/* ---- what is used up ---- */

static bool is_full(const char *folder)
{
    struct statvfs there;

    return statvfs(folder, &there) == 0 && there.f_files - there.f_ffree > MOST_FILES;
}

/* Why a command has to end, if it has: sets the reason and its number. A command that mostly sleeps
 * waits for itself. One that was ready half of the time is late, because others had the processor:
 * what it used itself is much less. */
static bool over(const struct look *look, const char **why, int64_t *number)
{
    int64_t clock = (look->last - look->began) / 1000000;

    *number = clock;
    if (look->used >= (int64_t)settings.seconds * 1000000)
        *why = "time", *number = (int64_t)settings.seconds;
    else if (look->idle >= (int64_t)settings.patience * 1000000)
        *why = "idle", *number = (int64_t)settings.patience;
    else if (is_first() && (is_full("/tmp") || is_full("/dev/shm")))
        *why = "room", *number = MOST_BYTES >> 20;
    else if (clock >= (int64_t)settings.wall)
        *why = 2 * look->ready >= look->last - look->began ? "late" : "idle";
    return *why != NULL;
}

/* ---- the folder ---- */

/* Empties a folder. Without any other process, a folder in it with something in it becomes empty
 * when that moves up; so no tree is too deep. */
static void empty(const char *folder)
{
    static unsigned moved;
    char from[600], to[300];
    bool again = true;

    chmod(folder, 0755);
    utimensat(AT_FDCWD, folder, NULL, 0);
    while (again && chdir(folder) == 0) {
        DIR *all = opendir(".");
        again = false;
        for (struct dirent *entry; all != NULL && (entry = readdir(all)) != NULL;) {
            const char *name = entry->d_name;
            if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0 || unlink(name) == 0)
                continue;
            again = true;
            chmod(name, 0700);
            DIR *inner = opendir(name);
            for (struct dirent *e; inner != NULL && (e = readdir(inner)) != NULL;) {
                snprintf(from, sizeof from, "%s/%s", name, e->d_name);
                snprintf(to, sizeof to, "moved.%u", moved++);
                if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0 &&
                    unlink(from) != 0)
                    rename(from, to);
            }
            if (inner != NULL)
                closedir(inner);
            rmdir(name);
        }
        if (all != NULL)
            closedir(all);
    }
}

/* A file in memory. */
static int memory(void)
{
    int file = memfd_create("apart", MFD_CLOEXEC);
    if (file < 0)
        refuse("it has no memory for a file");
    return file;
}

static off_t copy(int from, int to)
{
    static char bytes[1 << 16];
    off_t all = 0;

    for (ssize_t count; (count = read(from, bytes, sizeof bytes)) > 0; all += count)
        for (ssize_t done = 0, more; done < count; done += more)
            if ((more = write(to, bytes + done, (size_t)(count - done))) < 0)
                refuse("it cannot write");
    return all;
}

/* The bytes of an open file, of which there may be none. */
static char *take(int file, size_t *length)
{
    int kept = memory();
    char *text;

    *length = (size_t)copy(file, kept);
    text = mmap(NULL, *length + 1, PROT_READ | PROT_WRITE, MAP_PRIVATE, kept, 0);
    if (text == MAP_FAILED)
        refuse("it has no memory for a file");
    close(kept);
    return text;
}

/* A file in a tar archive: its content follows, up to a multiple of the header's size. */
struct header {
    char name[100], mode[8], user[8], group[8], size[12], time[12], sum[8], type, target[100],
        magic[8], names[64], device[16], prefix[155], rest[12];
};

static size_t padding(size_t bytes)
{
    return -bytes % sizeof(struct header);
}

/* Makes a file or a folder of the archive. */
static bool unpack(const struct header *head, const char *content, size_t bytes)
{
    const mode_t mode = strtoul(head->mode, NULL, 8) & 0777;
    char name[300], target[101];
    int file;

    snprintf(name, sizeof name, "%.155s/%.100s", *head->prefix ? head->prefix : ".", head->name);
    snprintf(target, sizeof target, "%.100s", head->target);
    if (head->type == '5')
        return mkdir(name, mode | 0700) == 0 || errno == EEXIST;
    if (head->type == '2')
        return symlink(target, name) == 0;
    if ((file = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)) < 0)
        return false;
    while (bytes > 0) {
        ssize_t done = write(file, content, bytes);
        if (done <= 0)
            break;
        content += done, bytes -= (size_t)done;
    }
    return close(file) == 0 && bytes == 0;
}

/* Makes the folder anew, and goes there. Returns whether there was space for it. */
static bool make_place(void)
{
    const char *at = settings.archive, *end = at + settings.archive_bytes;

    empty(settings.folder);
    if (is_first())
        empty("/dev/shm");
    if (chdir(settings.folder) != 0 || mkdir("work", 0755) != 0 || chdir("work") != 0)
        refuse("it has no folder to work in");
    while (end - at > (ptrdiff_t)sizeof(struct header) && *at != '\0') {
        const struct header *head = (const struct header *)(const void *)at;
        const size_t bytes = strtoul(head->size, NULL, 8);
        at += sizeof *head;
        if ((size_t)(end - at) < bytes || !unpack(head, at, bytes))
            return false;
        at += bytes + padding(bytes);
    }
    return true;
}

/* ---- commands ---- */

struct request {
    const char *way;
    char **command;
    size_t parts;
    char **part;
};

/* A command that runs. */
struct run {
    const struct request *request;
    pid_t child;
    struct list list;
    int fifo;     /* its end, -1 without one */
    int to, from; /* of a talk, else -1 */
    size_t sent;  /* parts */
    char mark[MARK + 1];
    char line[1024]; /* that it has begun to answer */
    size_t length, answered;
    int out, err, accesses;
};

/* clone() with CLONE_THREAD is what starts a thread. clone3() is refused by the filter of the
 * sandbox. */
static void without_children(void)
{
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone3, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
#ifdef SYS_fork
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_fork, 1, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_vfork, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
#endif
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args)), /* little-endian */
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {.len = sizeof filter / sizeof filter[0], .filter = filter};

    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
        prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) {
        perror("the filter of system calls");
        _exit(126);
    }
}

/* The same file, for writing alone: what is printed cannot be read back. */
static int writing_end(int file)
{
    char path[64];

    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    return open(path, O_WRONLY | O_APPEND);
}

/* Without --vex-guest-chase=no valgrind also lists instructions after a branch that was not taken.
 */
static void execute(char **command, bool traced)
{
    static char *lackey[] = {"valgrind",
                             "--command-line-only=yes",
                             "--tool=lackey",
                             "--vgdb=no",
                             "--vex-guest-chase=no",
                             "--trace-mem=yes",
                             "--trace-syscalls=yes",
                             "--log-file=../list"};
    char *words[sizeof lackey / sizeof *lackey + MOST_WORDS];
    size_t count = traced ? sizeof lackey / sizeof *lackey : 0;

    memcpy(words, lackey, count * sizeof *words);
    while ((words[count++] = *command++) != NULL)
        ;
    execvp(words[0], words);
    perror(words[0]);
}

static _Noreturn void become(const struct run *run, int in, int out, int err)
{
    const char *way = run->request->way;
    struct rlimit limit = {settings.seconds + 1, settings.seconds + 2};
    sigset_t none;

    setrlimit(RLIMIT_FSIZE, &(struct rlimit){settings.file_bytes, settings.file_bytes});
    setrlimit(RLIMIT_CPU, &limit);
    dup2(in, STDIN_FILENO);
    dup2(out, STDOUT_FILENO);
    dup2(err, STDERR_FILENO);
    for (int k = 3; k < 64; k++)
        close(k);
    if (strcmp(way, "free") != 0)
        without_children();
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    signal(SIGPIPE, SIG_DFL);
    if (strcmp(way, "reach") == 0) {
        reach();
        _exit(0);
    }
    execute(run->request->command, strcmp(way, "trace") == 0);
    _exit(127);
}

/* ---- a talk ---- */

/* Sends the next part with a mark of its own, or after the last one nothing more. */
static void send_part(struct run *run)
{
    unsigned char random[MARK / 2];

    if (run->sent == run->request->parts) {
        close(run->to);
        run->to = -1;
        return;
    }
    const char *part = run->request->part[run->sent++], *place = strstr(part, "@MARK@");
    if (place == NULL || getrandom(random, sizeof random, 0) != sizeof random)
        refuse("a part of a talk has no mark");
    for (size_t k = 0; k < sizeof random; k++)
        snprintf(run->mark + 2 * k, 3, "%02x", random[k]);
    dprintf(run->to, "%.*s%s%s", (int)(place - part), part, run->mark, place + strlen("@MARK@"));
}

static void end_line(struct run *run)
{
    int answer = run->sent <= 1 ? run->err : run->out;

    run->line[run->length] = '\0';
    if (run->to >= 0 && strcmp(run->line, run->mark) == 0)
        send_part(run);
    else if ((run->answered += run->length + 1) <= settings.file_bytes)
        dprintf(answer, "%s\n", run->line);
    run->length = 0;
}

static bool hear(struct run *run)
{
    char bytes[4096];
    bool any = false;

    for (ssize_t count; (count = read(run->from, bytes, sizeof bytes)) > 0; any = true)
        for (ssize_t k = 0; k < count; k++) {
            if (bytes[k] == '\n' || run->length == sizeof run->line - 1)
                end_line(run);
            if (bytes[k] != '\n')
                run->line[run->length++] = bytes[k];
        }
    return any;
}

/* ---- the run ---- */

static void prepare(struct run *run, const struct request *request)
{
    *run = (struct run){.request = request, .fifo = -1, .to = -1, .from = -1};
    run->list = (struct list){.own = true, .text = -1};
    run->out = memory(), run->err = memory(), run->accesses = memory();
    run->list.accesses = fdopen(dup(run->accesses), "w");
    if (run->list.accesses == NULL)
        refuse("it has no memory for a list");
}

static void start(struct run *run)
{
    int in[2] = {-1, -1}, out[2] = {-1, -1};
    const bool talk = strcmp(run->request->way, "talk") == 0;

    if (strcmp(run->request->way, "trace") == 0) {
        if (mkfifo("../list", 0600) != 0 ||
            (run->fifo = open("../list", O_RDONLY | O_NONBLOCK | O_CLOEXEC)) < 0)
            refuse("it has no pipe for a list");
        fcntl(run->fifo, F_SETPIPE_SZ, 1 << 20);
    }
    if (talk) {
        /* A socket cannot be opened again by its name: no command writes to itself, or reads more
         * than is its turn. */
        if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, in) != 0 ||
            pipe2(out, O_CLOEXEC) != 0)
            refuse("it has no pipe for a talk");
        fcntl(out[0], F_SETFL, O_NONBLOCK);
    }
    run->child = fork();
    if (run->child < 0)
        refuse("it cannot start a process");
    if (run->child == 0)
        become(run, talk ? in[0] : open("/dev/null", O_RDONLY),
               talk ? out[1] : writing_end(run->out), talk ? out[1] : writing_end(run->err));
    if (talk) {
        close(in[0]);
        close(out[1]);
        run->to = in[1], run->from = out[0];
        send_part(run);
    }
}

/* Reads what the command says by now. */
static void listen_to(struct run *run)
{
    if (run->from >= 0)
        hear(run);
    /* As soon as valgrind writes, which is before the command starts, nobody else can open the
     * pipe. */
    if (run->fifo >= 0 && list_read(&run->list, run->fifo))
        unlink("../list");
}

/* Waits for the end of the command, or makes it: sets why it ended. */
static void finish(struct run *run, const char **why, int64_t *number)
{
    static struct look look;
    int status = 0;
    sigset_t child;
    const struct timespec pause = {.tv_nsec = run->fifo >= 0 || run->from >= 0 ? 4000000
                                                                               : 20000000};

    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    memset(&look, 0, sizeof look);
    look.began = look.last = now_us();
    *why = NULL;
    while (waitpid(run->child, &status, WNOHANG) == 0) {
        sigtimedwait(&child, NULL, &pause);
        listen_to(run);
        if (now_us() - look.last >= 20000) {
            look_around(&look);
            if (over(&look, why, number))
                break;
        }
    }
    end_all();
    listen_to(run);
    if (run->length > 0)
        end_line(run);
    if (*why == NULL) {
        *why = WIFSIGNALED(status) ? "signal" : "ended";
        *number = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
        if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU)
            *why = "time", *number = (int64_t)settings.seconds;
    }
}

/* Opens one of the files that are wanted, if it is a plain one. */
static int open_result(const char *name)
{
    struct stat what;
    int file = open(name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);

    if (file >= 0 && (fstat(file, &what) != 0 || !S_ISREG(what.st_mode))) {
        close(file);
        file = -1;
    }
    return file;
}

/* Adds a file to the report, unless it is -1. */
static void report(size_t number, const char *name, int file)
{
    static const char zeros[sizeof(struct header)];
    struct header head = {.type = '0', .magic = "ustar\00000", .sum = "        "};
    const size_t bytes = file < 0 ? 0 : (size_t)lseek(file, 0, SEEK_END);
    unsigned sum = 0;

    if (file < 0)
        return;
    snprintf(head.name, sizeof head.name, "%zu/%s", number, name);
    snprintf(head.mode, sizeof head.mode, "%07o", 0644);
    snprintf(head.size, sizeof head.size, "%011zo", bytes);
    for (size_t k = 0; k < sizeof head; k++)
        sum += ((const unsigned char *)&head)[k];
    snprintf(head.sum, sizeof head.sum, "%06o", sum);
    lseek(file, 0, SEEK_SET);
    if (write(STDOUT_FILENO, &head, sizeof head) != sizeof head ||
        copy(file, STDOUT_FILENO) != (off_t)bytes ||
        write(STDOUT_FILENO, zeros, padding(bytes)) != (ssize_t)padding(bytes))
        refuse("it cannot write");
    close(file);
}

/* Reports what a command did. */
static void print_run(struct run *run, const char *why, int64_t number, int64_t used, int64_t wall)
{
    static size_t runs;
    const int64_t instructions = list_instructions(&run->list);
    const int ends[] = {run->fifo, run->from, run->to}, how = memory();
    char fetched[100];

    fclose(run->list.accesses);
    for (size_t k = 0; k < 3; k++)
        if (ends[k] >= 0)
            close(ends[k]);
    if (instructions < 0 && ftruncate(run->accesses, 0) != 0)
        refuse("it cannot drop a list");
    runs++;
    report(runs, "output", run->out);
    report(runs, "err", run->err);
    report(runs, "accesses", run->accesses);
    for (size_t k = 0; k < settings.names && strcmp(why, "ended") == 0 && number == 0; k++) {
        snprintf(fetched, sizeof fetched, "fetched/%s", settings.name[k]);
        report(runs, fetched, open_result(settings.name[k]));
    }
    dprintf(how, "%s %lld %lld %lld ", why, (long long)number, (long long)used, (long long)wall);
    if (instructions < 0)
        dprintf(how, "-\n");
    else
        dprintf(how, "%lld\n", (long long)instructions);
    report(runs, "how", how);
    dprintf(NEWS, "ran %s %lld %lld\n", why, (long long)number, (long long)used);
}

/* Runs a command and prints what it did. Returns whether it came to its end in time. */
static bool run_one(const struct request *request)
{
    static struct run run;
    const char *why = "room";
    int64_t number = MOST_BYTES >> 20, before = 0, began = 0;

    prepare(&run, request);
    if (make_place()) {
        before = used_us(), began = now_us();
        start(&run);
        finish(&run, &why, &number);
    }
    print_run(&run, why, number, used_us() - before, now_us() - began);
    return strcmp(why, "time") != 0 && strcmp(why, "idle") != 0 && strcmp(why, "late") != 0;
}

/* Refuses when a command could open a part of this process. */
static void probe(void)
{
    static struct run run;
    const char *why = NULL;
    char text[1 << 16], *found;
    int64_t number = 0;

    prepare(&run, &(struct request){.way = "reach"});
    start(&run);
    finish(&run, &why, &number);
    ssize_t length = pread(run.out, text, sizeof text - 1, 0);
    text[length > 0 ? length : 0] = '\0';
    if (strcmp(why, "ended") != 0 || strstr(text, "process 1\n") == NULL)
        refuse("nobody can say what is reached from within");
    if ((found = strstr(text, "\nopen ")) != NULL) {
        found[1 + strcspn(found + 1, "\n")] = '\0';
        *found = ' ';
        refuse(found + 1);
    }
}

/* ---- what is asked for ---- */

static char *request_text, *request_end;

/* The next word; refuses where there is none. */
static char *word(void)
{
    char *here = request_text;

    if (here >= request_end)
        refuse("a request that ends too early");
    request_text += strlen(here) + 1;
    return here;
}

static rlim_t number(void)
{
    return strtoull(word(), NULL, 10);
}

/* A number of words, with a null pointer at their end. */
static char **words(size_t *count)
{
    *count = number();
    char **list = *count < MOST_WORDS ? calloc(*count + 1, sizeof *list) : NULL;
    if (list == NULL)
        refuse("a request with too many words");
    for (size_t k = 0; k < *count; k++)
        list[k] = word();
    return list;
}

static void read_requests(void)
{
    size_t length;

    request_text = take(STDIN_FILENO, &length);
    if (length == 0 || request_text[length - 1] != '\0')
        refuse("no request");
    request_end = request_text + length;
    settings.folder = word();
    settings.seconds = number();
    settings.wall = number();
    settings.patience = number();
    settings.file_bytes = number() << 10;
    settings.name = words(&settings.names);
}

int main(int argc, char *argv[])
{
    struct request request = {0};
    sigset_t child;
    size_t count;

    (void)argc;
    if (prctl(PR_SET_DUMPABLE, 0) != 0 || prctl(PR_SET_CHILD_SUBREAPER, 1) != 0)
        refuse("its first process cannot be closed to others");
    memset(argv[0], 0, strlen(argv[0]));
    signal(SIGPIPE, SIG_IGN);
    signal(SIGCHLD, SIG_DFL); /* which a caller may have ignored */
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    sigprocmask(SIG_BLOCK, &child, NULL);
    read_requests();
    settings.archive = take(FILES, &settings.archive_bytes);
    close(FILES);
    if (is_first())
        probe();
    dprintf(NEWS, "ready %d\n", getpid());
    for (bool in_time = true; in_time && request_text < request_end;) {
        request.way = word();
        request.command = words(&count);
        if (count == 0 && strcmp(request.way, "reach") != 0)
            refuse("a request without a command");
        request.part = strcmp(request.way, "talk") == 0 ? words(&request.parts) : NULL;
        in_time = run_one(&request);
        free(request.command);
        free(request.part);
    }
    return 0;
}
