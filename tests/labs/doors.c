/* doors: what a program of a student tries against those that run it, for doors.t. Some of it
 * without the C library's help, since in a list of accesses few system calls are allowed. It prints
 * `open: ...` for what it reached. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <mqueue.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

static const time_t later = 5000000000;
static volatile unsigned long sum;

static void burn(double seconds)
{
    for (clock_t end = clock() + (clock_t)(seconds * CLOCKS_PER_SEC); clock() < end;)
        sum++;
}

/* The output of question 6, as it is in a report. */
static const char *forged(void)
{
    static char text[1024];
    unsigned all = 0;

    strcpy(text, "6/output");
    strcpy(text + 100, "0000644");
    strcpy(text + 124, "00000000007");
    memset(text + 148, ' ', 8);
    text[156] = '0';
    strcpy(text + 257, "ustar");
    for (int k = 0; k < 512; k++)
        all += (unsigned char)text[k];
    snprintf(text + 148, 8, "%06o", all);
    strcpy(text + 512, "forged\n");
    return text;
}

/* Overwrites all that it can open of others. */
static void overwrite(void)
{
    char path[99];

    for (int process = 1; process < 40; process++) {
        if (process == getpid())
            continue;
        for (int k = 0; k < 64; k++) {
            snprintf(path, sizeof path, "/proc/%d/fd/%d", process, k);
            int file = open(path, O_WRONLY);
            if (file >= 0 && pwrite(file, forged(), 1024, 0) > 0)
                printf("open: %s\n", path);
        }
        snprintf(path, sizeof path, "/proc/%d/mem", process);
        if (open(path, O_RDWR) >= 0)
            printf("open: %s\n", path);
    }
}

/* Prints the command lines of others. */
static void command_lines(void)
{
    char path[99], text[4096];

    for (int process = 1; process < 40; process++) {
        snprintf(path, sizeof path, "/proc/%d/cmdline", process);
        int file = process == getpid() ? -1 : open(path, O_RDONLY);
        ssize_t count = file < 0 ? 0 : read(file, text, sizeof text);
        for (ssize_t k = 0; k < count; k++)
            printf("%.*s", text[k] != 0, text + k);
    }
}

/* Ends, limits and moves the first process. */
static void first_process(void)
{
    cpu_set_t one;

    CPU_ZERO(&one);
    CPU_SET(0, &one);
    for (int k = 1; k < 65; k++)
        kill(1, k);
    if (prlimit(1, RLIMIT_FSIZE, &(struct rlimit){0, 0}, NULL) == 0 ||
        prlimit(1, RLIMIT_NOFILE, &(struct rlimit){3, 3}, NULL) == 0)
        puts("open: its limits");
    if (sched_setaffinity(1, sizeof one, &one) == 0)
        puts("open: its processors");
}

/* Leaves something where a later program could find it. */
static void leave(void)
{
    int file = open("program", O_WRONLY | O_TRUNC);

    unlink("program");
    if (file >= 0)
        close(file);
    for (int k = 0; k < 2000 && mkdir("deep", 0700) == 0 && chdir("deep") == 0; k++)
        ;
    close(open("/tmp/work/-rf \n*", O_CREAT | O_WRONLY, 0));
    close(open("/dev/shm/left", O_CREAT | O_WRONLY, 0));
    close(open("/tmp/left", O_CREAT | O_WRONLY, 0));
    mkdir("/tmp/moved.0", 0);
    (void)!symlink("/usr", "/tmp/work/usr");
    if (setxattr("/tmp", "user.left", "x", 1, 0) == 0)
        puts("open: attributes of /tmp");
    if (shmget(1234, 4096, IPC_CREAT | 0600) >= 0)
        puts("open: shared memory");
    if (mq_open("/left", O_CREAT | O_RDWR, 0600, NULL) >= 0)
        puts("open: a queue of messages");
    utimensat(AT_FDCWD, "/tmp", (struct timespec[]){{later, 0}, {0, UTIME_OMIT}}, 0);
    chmod("/tmp/work", 0);
    chmod("/dev/shm", 0);
    chmod("/tmp", 0);
}

static void find(void)
{
    static const char *const places[] = {"/dev/shm/left", "/tmp/left", "/tmp/moved.0", "deep",
                                         "usr"};
    struct stat folder;

    for (size_t k = 0; k < sizeof places / sizeof *places; k++)
        if (access(places[k], F_OK) == 0)
            printf("open: %s\n", places[k]);
    if (stat("/tmp", &folder) == 0 && folder.st_atim.tv_sec == later)
        puts("open: the time of /tmp");
    printf("%s, %s\n", access("program", X_OK) == 0 ? "here" : "gone",
           access("doors.c", R_OK) == 0 ? "here" : "gone");
}

static void fill(void)
{
    static char bytes[1 << 20];
    char name[32];

    memset(bytes, 1, sizeof bytes);
    for (int k = 0; k < 100; k++) {
        snprintf(name, sizeof name, "large.%d", k);
        int file = open(name, O_CREAT | O_WRONLY, 0600);
        while (file >= 0 && write(file, bytes, sizeof bytes) > 0 &&
               lseek(file, 0, SEEK_CUR) < 900000)
            ;
    }
}

static void inodes(void)
{
    char name[32];

    for (int k = 0; k < 10000000; k++) {
        snprintf(name, sizeof name, "empty.%d", k);
        close(open(name, O_CREAT | O_WRONLY, 0600));
    }
}

/* Uses the processor in children of which nobody takes the status. */
static void burn_unseen(void)
{
    signal(SIGCHLD, SIG_IGN);
    for (pid_t child; (child = fork()) >= 0;) {
        if (child == 0) {
            burn(0.03);
            _exit(0);
        }
        while (waitpid(-1, NULL, 0) > 0)
            ;
    }
}

/* Many threads that want one processor in the same moment, and else sleep: each waits for the
 * others. */
static void *crowd(void *data)
{
    struct timespec now;

    for (;;) {
        clock_gettime(CLOCK_MONOTONIC, &now);
        now.tv_sec++;
        now.tv_nsec = 0;
        clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &now, NULL);
        burn(0.001);
    }
    return data;
}

static void crowds(void)
{
    pthread_t thread;
    cpu_set_t one;

    CPU_ZERO(&one);
    CPU_SET(0, &one);
    sched_setaffinity(0, sizeof one, &one);
    for (int k = 0; k < 20; k++)
        pthread_create(&thread, NULL, crowd, NULL);
    crowd(NULL);
}

/* ---- where valgrind lists what it does: its own memory, and its list ---- */

static void traced(const char *how)
{
    static char text[] = " L 04000000,8\n";
    unsigned long *valgrind = (unsigned long *)0x58300000;

    if (strcmp(how, "store") == 0)
        *(volatile unsigned long *)valgrind = *(volatile unsigned long *)valgrind;
    else if (strcmp(how, "load") == 0)
        sum = *(volatile unsigned long *)valgrind;
    else if (strcmp(how, "kernel") == 0)
        (void)!read(0, valgrind, 8);
    else if (strcmp(how, "clock") == 0)
        clock_gettime(CLOCK_MONOTONIC, (struct timespec *)valgrind);
    else if (strcmp(how, "list") == 0)
        (void)!open("/tmp/list", O_WRONLY | O_NONBLOCK);
    else if (strcmp(how, "write") == 0)
        for (int k = 3; k < 64; k++)
            (void)!write(k, text, sizeof text - 1);
    else if (strcmp(how, "range") == 0)
        madvise((void *)0x2ffff000, 0x58100000 - 0x2ffff000, MADV_DONTNEED);
    else if (strcmp(how, "memory") == 0)
        (void)!open("/proc/self/mem", O_RDWR);
}

#ifdef EARLY
__attribute__((constructor)) static void early(void)
{
    (void)!open("/proc/self/fd/9", O_WRONLY);
}
#endif

static void *nothing(void *data)
{
    return data;
}

int main(int argc, char *argv[])
{
    const char *what = argc > 1 ? argv[1] : "";

    if (argc > 2 && strcmp(what, "traced") == 0)
        traced(argv[2]);
    else if (strcmp(what, "overwrite") == 0)
        overwrite();
    else if (strcmp(what, "lines") == 0)
        command_lines();
    else if (strcmp(what, "first") == 0)
        first_process();
    else if (strcmp(what, "leave") == 0)
        leave();
    else if (strcmp(what, "find") == 0)
        find();
    else if (strcmp(what, "fill") == 0)
        fill();
    else if (strcmp(what, "inodes") == 0)
        inodes();
    else if (strcmp(what, "fork") == 0)
        puts(fork() < 0 ? "no child" : "open: a child");
    else if (strcmp(what, "unseen") == 0)
        burn_unseen();
    else if (strcmp(what, "burn") == 0)
        burn(1e9);
    else if (strcmp(what, "crowd") == 0)
        crowds();
    else if (strcmp(what, "reports") == 0)
        fwrite(forged(), 1, 1024, stdout);
    else if (strcmp(what, "thread") == 0) {
        pthread_t other;
        puts(pthread_create(&other, NULL, nothing, NULL) == 0 ? "a thread" : "no thread");
    }
    fflush(stdout);
    _exit(0);
}
