/* seccomp: runs a command that makes a sandbox, with what bubblewrap cannot make by itself: a
 * filter of system calls, for `bwrap --seccomp FD`, and a session keyring of its own.
 *
 * Usage: seccomp FD COMMAND [ARGUMENT...]
 * Example: seccomp 9 bwrap --seccomp 9 --unshare-all --ro-bind /usr /usr /usr/bin/true
 *
 * The command can read the filter from descriptor FD. Programs of students do without what the
 * filter refuses: to look into other processes, keys, new namespaces and mounts, and the parts of
 * the kernel in which most holes were found. The filter also ends a program that makes system calls
 * of another architecture (int 0x80, x32). Status: 2 when something of this cannot be made, else
 * the command's. */
#define _GNU_SOURCE /* syscall() and the CLONE_ flags */
#include <errno.h>
#include <linux/keyctl.h>
#include <sched.h>
#include <seccomp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

static const char *const refused[] = {
    /* other processes */
    "ptrace", "process_vm_readv", "process_vm_writev", "process_madvise", "pidfd_getfd", "kcmp",
    /* keys */
    "keyctl", "add_key", "request_key",
    /* parts of the kernel that a course has no use for */
    "bpf", "io_uring_enter", "io_uring_register", "io_uring_setup", "perf_event_open",
    "userfaultfd", "fanotify_init",
    /* its own priority: a program that asks for less time is not one that does not get it */
    "setpriority", "sched_setscheduler", "sched_setattr",
    /* namespaces and mounts */
    "unshare", "setns", "mount", "umount2", "pivot_root", "chroot", "open_tree", "move_mount",
    "fsopen", "fsconfig", "fsmount", "fspick", "mount_setattr", "name_to_handle_at",
    "open_by_handle_at"};

static const unsigned new_namespace[] = {CLONE_NEWNS,  CLONE_NEWUSER, CLONE_NEWPID,   CLONE_NEWNET,
                                         CLONE_NEWIPC, CLONE_NEWUTS,  CLONE_NEWCGROUP};

static _Noreturn void fail(const char *what, int error)
{
    fprintf(stderr, "seccomp: %s: %s\n", what, strerror(error));
    exit(2);
}

/* libseccomp functions return a negative errno. */
static void must(const char *what, int status)
{
    if (status < 0)
        fail(what, -status);
}

static int number_of(const char *name)
{
    int number = seccomp_syscall_resolve_name(name);
    if (number == __NR_SCMP_ERROR)
        fail(name, ENOSYS); /* an older libseccomp, which does not know the call */
    return number;
}

static scmp_filter_ctx make_filter(void)
{
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
    if (filter == NULL)
        fail("seccomp_init", ENOMEM);
    must("another architecture",
         seccomp_attr_set(filter, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS));
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++)
        must(refused[i], seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), number_of(refused[i]), 0));
    for (size_t i = 0; i < sizeof new_namespace / sizeof new_namespace[0]; i++)
        must("clone",
             seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), number_of("clone"), 1,
                              SCMP_A0(SCMP_CMP_MASKED_EQ, new_namespace[i], new_namespace[i])));
    /* The flags of clone3 lie in memory, where a filter cannot look; the C library then uses clone.
     */
    must("clone3", seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), number_of("clone3"), 0));
    /* A network namespace does not contain AF_VSOCK, the way from a guest to its host. */
    must("socket", seccomp_rule_add(filter, SCMP_ACT_ERRNO(EAFNOSUPPORT), number_of("socket"), 1,
                                    SCMP_A0(SCMP_CMP_NE, AF_UNIX, 0)));
    must("ioctl", seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), number_of("ioctl"), 1,
                                   SCMP_A1(SCMP_CMP_MASKED_EQ, 0xffffffffu, TIOCSTI)));
    return filter;
}

/* Writes the filter into a pipe, which holds more than any filter has, and gives its end the
 * number. */
static void offer(scmp_filter_ctx filter, int descriptor)
{
    int ends[2];
    if (pipe(ends) != 0)
        fail("pipe", errno);
    must("the filter", seccomp_export_bpf(filter, ends[1]));
    close(ends[1]);
    if (ends[0] == descriptor)
        return;
    if (dup2(ends[0], descriptor) < 0)
        fail("the descriptor", errno);
    close(ends[0]);
}

int main(int argc, char *argv[])
{
    char *end = NULL;
    long descriptor = argc > 2 ? strtol(argv[1], &end, 10) : -1;
    if (descriptor < 3 || descriptor > 1023 || *end != '\0') {
        fprintf(stderr, "Usage: seccomp FD COMMAND [ARGUMENT...]\n");
        return 2;
    }
    /* A kernel without keys has none to hide. */
    if (syscall(SYS_keyctl, KEYCTL_JOIN_SESSION_KEYRING, NULL) < 0 && errno != ENOSYS)
        fail("a session keyring", errno);
    scmp_filter_ctx filter = make_filter();
    offer(filter, (int)descriptor);
    seccomp_release(filter);
    execvp(argv[2], argv + 2);
    fail(argv[2], errno);
}
