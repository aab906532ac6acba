/* harm: the harm that a student's program may try, for sandbox.t. Each line is an attempt and how
 * it ended: `done` or the error. */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/keyctl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static void tell(const char *what, long outcome)
{
    printf("%s: %s\n", what, outcome < 0 ? strerrorname_np(errno) : "done");
    fflush(stdout);
}

static void system_calls(void)
{
    tell("ptrace", ptrace(PTRACE_SEIZE, 1, NULL, NULL));
    tell("keyctl", syscall(SYS_keyctl, KEYCTL_GET_KEYRING_ID, KEY_SPEC_USER_KEYRING, 1));
    tell("add_key", syscall(SYS_add_key, "user", "tlblab", "x", 1, KEY_SPEC_PROCESS_KEYRING));
    tell("io_uring_setup", syscall(SYS_io_uring_setup, 0, NULL));
    tell("bpf", syscall(SYS_bpf, 0, NULL, 0));
    tell("userfaultfd", syscall(SYS_userfaultfd, 0));
    tell("perf_event_open", syscall(SYS_perf_event_open, NULL, 0, -1, -1, 0));
    tell("unshare", unshare(CLONE_NEWUSER));
    tell("clone", syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, NULL, NULL, NULL, NULL));
    tell("clone3", syscall(SYS_clone3, NULL, 0));
    tell("internet", socket(AF_INET, SOCK_STREAM, 0));
    tell("setpriority", setpriority(PRIO_PROCESS, 0, 19));
    tell("vsock", socket(AF_VSOCK, SOCK_STREAM, 0));
}

/* A daemon: orphaned, in its own session, with nothing open. */
static void daemonize(void)
{
    if (fork() != 0)
        _exit(0);
    setsid();
    if (fork() != 0)
        _exit(0);
    for (int i = 0; i < 64; i++)
        close(i);
    sleep(60);
}

/* Prints how many of these processes the system made. */
static void fork_many(int count)
{
    int made = 0;
    for (int i = 0; i < count; i++) {
        pid_t child = fork();
        if (child == 0) {
            sleep(1);
            _exit(0);
        }
        made += child > 0;
    }
    printf("%d\n", made);
}

/* A process that uses this much memory, reports it with a byte, and keeps it until its stdin
 * ends. */
static void fill(size_t bytes, int said)
{
    char *memory = malloc(bytes), byte = 1;
    if (memory == NULL)
        _exit(1);
    for (size_t at = 0; at < bytes; at += 4096)
        ((volatile char *)memory)[at] = 1;
    if (write(said, &byte, 1) != 1 || read(STDIN_FILENO, &byte, 1) != 0)
        _exit(1);
    _exit(0);
}

/* Prints how many of these processes could use this much memory at once. */
static void fill_memory(int count, size_t bytes)
{
    int survived = 0, status, hold[2], said[2];
    char byte;
    if (pipe(hold) != 0 || dup2(hold[0], STDIN_FILENO) < 0)
        return;
    for (int i = 0; i < count; i++) {
        if (pipe(said) != 0)
            return;
        if (fork() == 0) {
            close(hold[1]);
            fill(bytes, said[1]);
        }
        close(said[1]);
        survived -= read(said[0], &byte, 1) < 0; /* a byte, or its end */
        close(said[0]);
    }
    close(hold[1]);
    while (wait(&status) > 0)
        survived += WIFEXITED(status) && WEXITSTATUS(status) == 0;
    printf("%d\n", survived);
}

static void loop(int processes)
{
    for (int i = 1; i < processes && fork() != 0; i++)
        ;
    for (volatile int i = 0;; i++)
        ;
}

/* Children that work for a moment on one processor, where their parent, which takes nobody's
 * status, waits for it. */
static void breed(void)
{
    cpu_set_t here;

    CPU_ZERO(&here);
    CPU_SET((size_t)sched_getcpu(), &here);
    sched_setaffinity(0, sizeof here, &here);
    signal(SIGCHLD, SIG_IGN);
    for (;; sched_yield())
        if (fork() == 0) {
            for (volatile int i = 0; i < 3000000; i++)
                ;
            _exit(0);
        }
}

/* Runs a command with a key in its session keyring, as a teacher may have one. */
static int with_key(char *argv[])
{
    syscall(SYS_keyctl, KEYCTL_JOIN_SESSION_KEYRING, NULL);
    syscall(SYS_add_key, "user", "tlblab-teacher", "secret", 6, KEY_SPEC_SESSION_KEYRING);
    execvp(argv[0], argv);
    return 2;
}

int main(int argc, char *argv[])
{
    const char *what = argc > 1 ? argv[1] : "";
    int number = argc > 2 ? atoi(argv[2]) : 1;
    if (strcmp(what, "calls") == 0)
        system_calls();
    else if (strcmp(what, "daemon") == 0)
        daemonize();
    else if (strcmp(what, "fork") == 0)
        fork_many(number);
    else if (strcmp(what, "fill") == 0)
        fill_memory(number, (size_t)(argc > 3 ? atoi(argv[3]) : 1) << 20);
    else if (strcmp(what, "loop") == 0)
        loop(number);
    else if (strcmp(what, "breed") == 0)
        breed();
    else if (strcmp(what, "vfork") == 0) {
        if (vfork() == 0)
            for (;;)
                pause();
    } else if (strcmp(what, "crash") == 0)
        raise(number);
    else if (strcmp(what, "kill") == 0)
        tell("kill", kill(-1, SIGKILL));
    else if (strcmp(what, "key") == 0)
        tell("key", syscall(SYS_keyctl, KEYCTL_SEARCH, KEY_SPEC_SESSION_KEYRING, "user",
                            "tlblab-teacher", 0));
    else if (strcmp(what, "keyed") == 0)
        return with_key(argv + 2);
#ifdef __x86_64__
    else if (strcmp(what, "int80") == 0)
        __asm__ volatile("int $0x80" : : "a"(20)); /* getpid of 32 bits */
#endif
    else
        return 2;
    return 0;
}
