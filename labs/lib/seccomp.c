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
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/keyctl.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined __x86_64__
#define ARCHITECTURE AUDIT_ARCH_X86_64
enum { FIRST_FOREIGN = 0x40000000 /* x32 */ };
#elif defined __aarch64__
#define ARCHITECTURE AUDIT_ARCH_AARCH64
enum { FIRST_FOREIGN = 0 };
#elif defined __riscv && __riscv_xlen == 64
#define ARCHITECTURE AUDIT_ARCH_RISCV64
enum { FIRST_FOREIGN = 0 };
#else
#error "the filter of system calls is not for this processor"
#endif

/* These are younger than some headers, and have the same number everywhere. */
enum { PIDFD_GETFD = 438, PROCESS_MADVISE = 440, MOUNT_SETATTR = 442, SETXATTRAT = 463 };

static const int refused[] = {
    /* other processes */
    SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev, PROCESS_MADVISE, PIDFD_GETFD, SYS_kcmp,
    /* keys */
    SYS_keyctl, SYS_add_key, SYS_request_key,
    /* parts of the kernel that a course has no use for */
    SYS_bpf, SYS_io_uring_enter, SYS_io_uring_register, SYS_io_uring_setup, SYS_perf_event_open,
    SYS_userfaultfd, SYS_fanotify_init,
    /* its own priority: a program that asks for less time is not one that does not get it */
    SYS_setpriority, SYS_sched_setscheduler, SYS_sched_setattr, SYS_sched_setparam, SYS_ioprio_set,
    /* what would be there for a later command */
    SYS_shmget, SYS_semget, SYS_msgget, SYS_mq_open, SYS_setxattr, SYS_lsetxattr, SYS_fsetxattr,
    SETXATTRAT,
    /* namespaces and mounts */
    SYS_unshare, SYS_setns, SYS_mount, SYS_umount2, SYS_pivot_root, SYS_chroot, SYS_open_tree,
    SYS_move_mount, SYS_fsopen, SYS_fsconfig, SYS_fsmount, SYS_fspick, MOUNT_SETATTR,
    SYS_name_to_handle_at, SYS_open_by_handle_at};

enum {
    NEW_NAMESPACE = CLONE_NEWNS | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC |
                    CLONE_NEWUTS | CLONE_NEWCGROUP,
    NUMBER = offsetof(struct seccomp_data, nr)
};

static _Noreturn void fail(const char *what, int error)
{
    fprintf(stderr, "seccomp: %s: %s\n", what, strerror(error));
    exit(2);
}

/* The filter: instructions of the kernel's packet filter. */
struct filter {
    struct sock_filter line[256];
    size_t count;
};

static void add(struct filter *filter, unsigned code, uint32_t value, unsigned jump,
                unsigned otherwise)
{
    filter->line[filter->count++] = (struct sock_filter){(uint16_t)code, (uint8_t)jump,
                                                         (uint8_t)otherwise, value};
}

static void load(struct filter *filter, size_t offset)
{
    add(filter, BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset, 0, 0);
}

static void give(struct filter *filter, uint32_t verdict)
{
    add(filter, BPF_RET | BPF_K, verdict, 0, 0);
}

/* Refuses a system call with this error. */
static void refuse(struct filter *filter, int number, int error)
{
    add(filter, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)number, 0, 1);
    give(filter, SECCOMP_RET_ERRNO | (uint32_t)error);
}

/* Refuses it if the comparison of the lower half of its argument, of which the kernel reads no
 * more, with the value is as wanted. */
static void refuse_if(struct filter *filter, int number, size_t argument, unsigned comparison,
                      uint32_t value, int wanted, int error)
{
    int big = *(const uint8_t *)&(const uint16_t){0x0100};

    add(filter, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)number, 0, 4);
    load(filter, offsetof(struct seccomp_data, args) + 8 * argument + (big ? 4U : 0U));
    add(filter, BPF_JMP | comparison | BPF_K, value, !wanted, (unsigned)wanted);
    give(filter, SECCOMP_RET_ERRNO | (uint32_t)error);
    give(filter, SECCOMP_RET_ALLOW);
}

static void make_filter(struct filter *filter)
{
    load(filter, offsetof(struct seccomp_data, arch));
    add(filter, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)ARCHITECTURE, 1, 0);
    give(filter, SECCOMP_RET_KILL_PROCESS);
    load(filter, NUMBER);
    if (FIRST_FOREIGN != 0) {
        add(filter, BPF_JMP | BPF_JGE | BPF_K, FIRST_FOREIGN, 0, 1);
        give(filter, SECCOMP_RET_KILL_PROCESS);
    }
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++)
        refuse(filter, refused[i], EPERM);
    /* A filter cannot read the flags of clone3, which are in memory. Without it the C library uses
     * clone. */
    refuse(filter, SYS_clone3, ENOSYS);
    refuse_if(filter, SYS_clone, 0, BPF_JSET, NEW_NAMESPACE, 1, EPERM);
    /* A network namespace does not contain AF_VSOCK, the way from a guest to its host. */
    refuse_if(filter, SYS_socket, 0, BPF_JEQ, AF_UNIX, 0, EAFNOSUPPORT);
    /* The limits and the processors of the first process are those of all that follow. */
    refuse_if(filter, SYS_prlimit64, 0, BPF_JEQ, 0, 0, EPERM);
    refuse_if(filter, SYS_sched_setaffinity, 0, BPF_JEQ, 0, 0, EPERM);
    refuse_if(filter, SYS_ioctl, 1, BPF_JEQ, TIOCSTI, 1, EPERM);
    give(filter, SECCOMP_RET_ALLOW);
}

/* Writes the filter into a pipe, which holds more than any filter has, and gives its end the
 * number. */
static void offer(const struct filter *filter, int descriptor)
{
    size_t bytes = filter->count * sizeof filter->line[0];
    int ends[2];

    if (pipe(ends) != 0)
        fail("pipe", errno);
    if (write(ends[1], filter->line, bytes) != (ssize_t)bytes)
        fail("the filter", errno);
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
    struct filter filter = {.count = 0};
    make_filter(&filter);
    offer(&filter, (int)descriptor);
    /* Signals that a caller ignores, such as the end of a child, would be ignored by all that
     * follow. */
    for (int k = 1; k < NSIG; k++)
        signal(k, SIG_DFL);
    execvp(argv[2], argv + 2);
    fail(argv[2], errno);
}
