/* linux.c: measuring on Linux: time, disturbances, performance counters. Memory is in
 * linux_memory.c, its page frames in linux_frames.c, cores in linux_cores.c; sysfs.c reads /sys and
 * /proc. */
#define _GNU_SOURCE
#include "platform.h"
#include "posix.h"
#include "sysfs.h"
#include <errno.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* ---- time ---- */

/* CLOCK_MONOTONIC_RAW: no time daemon adjusts it, and since Linux 5.3 x86, Arm and RISC-V read it
 * without a system call, like CLOCK_MONOTONIC. Elsewhere its measured overhead makes samples
 * longer. */
uint64_t platform_now_ns(void)
{
    struct timespec t;
    if (clock_gettime(CLOCK_MONOTONIC_RAW, &t) != 0 && clock_gettime(CLOCK_MONOTONIC, &t) != 0)
        return 0;
    return (uint64_t)t.tv_sec * 1000000000U + (uint64_t)t.tv_nsec;
}

/* ---- disturbances and counters ---- */

bool platform_counts(struct platform_counts *counts)
{
    return posix_counts(RUSAGE_THREAD, sched_getcpu(), counts);
}

/* Opens a counter, of this thread or, with cpu from 0 on, of a unit outside the cores; -1 with the
 * reason and remedy. `needs` is about kernel.perf_event_paranoid. */
static int open_counter(struct perf_event_attr *attr, int cpu, const char *needs,
                        char why[PLATFORM_WHY_ROOM])
{
    char paranoid[16] = "unknown";
    long counter = syscall(SYS_perf_event_open, attr, cpu < 0 ? 0 : -1, cpu, -1, 0UL);
    const char *error = strerror(errno);
    if (counter >= 0)
        return (int)counter;
    if (errno == EACCES || errno == EPERM) {
        platform_read_line("/proc/sys/kernel/perf_event_paranoid", paranoid, sizeof paranoid);
        snprintf(why, PLATFORM_WHY_ROOM, "%s: kernel.perf_event_paranoid is %s, %s", error,
                 paranoid, needs);
    } else if (errno == ENOENT || errno == EOPNOTSUPP || errno == ENODEV)
        snprintf(why, PLATFORM_WHY_ROOM, "%s: no hardware counters%s", error,
                 sysfs_is_guest() ? " (the hypervisor offers this guest none)" : "");
    else if (errno == EMFILE)
        snprintf(why, PLATFORM_WHY_ROOM, "%s: one for each slice is needed (ulimit -n)", error);
    else
        snprintf(why, PLATFORM_WHY_ROOM, "perf_event_open: %s", error);
    return -1;
}

struct platform_outcome platform_perf(void)
{
    struct platform_outcome outcome = {.verdict = PLATFORM_YES};
    struct perf_event_attr attr = {.type = PERF_TYPE_HARDWARE,
                                   .size = sizeof attr,
                                   .config = PERF_COUNT_HW_CPU_CYCLES,
                                   .disabled = 1,
                                   .exclude_kernel = 1,
                                   .exclude_hv = 1};
    int counter = open_counter(&attr, -1, "2 suffices; or a container forbids it", outcome.why);
    if (counter < 0)
        outcome.verdict = PLATFORM_NO;
    else
        close(counter);
    return outcome;
}

int platform_counter_open(const struct platform_event *event, char why[PLATFORM_WHY_ROOM])
{
    struct perf_event_attr attr = {.type = event->type,
                                   .size = sizeof attr,
                                   .config = event->config,
                                   .read_format = PERF_FORMAT_TOTAL_TIME_ENABLED |
                                                  PERF_FORMAT_TOTAL_TIME_RUNNING};
    attr.config1 = event->config1;
    attr.config2 = event->config2;
    if (platform_root()[0] != '\0') {
        snprintf(why, PLATFORM_WHY_ROOM, "%s is a recorded machine: it counts nothing",
                 platform_root());
        return -1;
    }
    return open_counter(&attr, event->cpu,
                        "and counters of the uncore need 0 or less, or CAP_PERFMON", why);
}

bool platform_counter_read(int counter, uint64_t *count)
{
    struct {
        uint64_t value, enabled, running;
    } now;
    if (read(counter, &now, sizeof now) != (ssize_t)sizeof now)
        return false;
    *count = now.value;
    return now.enabled == now.running;
}

void platform_counter_close(int counter)
{
    close(counter);
}

/* ---- claims of the machine ---- */

const char *platform_core_kind(int cpu)
{
    struct sysfs_kinds kinds = sysfs_kinds();
    if (kinds.verdict != SYSFS_SEVERAL)
        return kinds.verdict == SYSFS_ONE ? "uniform" : "unknown";
    return sysfs_is_fast(&kinds, cpu) ? "performance" : "efficiency";
}

void platform_claims(platform_claim *claim, void *context)
{
    sysfs_claims(claim, context);
}

struct platform_outcome platform_swap(uint64_t *bytes)
{
    return sysfs_swap(bytes);
}

/* ---- a traced program ---- */

/* A process that has ended but has not been waited for (Z) keeps its number. */
bool platform_is_running(uint32_t process)
{
    char path[64], line[1024];
    snprintf(path, sizeof path, "/proc/%u/stat", process);
    if (!platform_read_line(path, line, sizeof line))
        return false;
    const char *name_end = strrchr(line, ')');
    return name_end != NULL && name_end[1] == ' ' && name_end[2] != 'Z' && name_end[2] != 'X';
}
