/* linux.c: measuring on Linux: time, pinning, disturbances, performance counters. Memory is in
 * linux_memory.c; what Linux says of itself in /sys and /proc is read by sysfs.c.
 *
 *     int cpu;
 *     struct platform_result pinned = platform_pin(&cpu);
 */
#define _GNU_SOURCE
#include "platform.h"
#include "posix.h"
#include "sysfs.h"
#include <errno.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* Ticks of /proc/stat are 10 ms long, so a shorter look than this would see none. */
enum { LOOK_MS = 20 };

static struct platform_result result(enum platform_answer answer)
{
    return (struct platform_result){.answer = answer};
}

bool platform_can_measure(char why[PLATFORM_WHY_ROOM])
{
    why[0] = '\0';
    return true;
}

/* ---- time ---- */

/* CLOCK_MONOTONIC_RAW: no time daemon bends it, and since Linux 5.3 it is served without a system
 * call on x86, Arm and RISC-V, as CLOCK_MONOTONIC is. Where it is not, the timer's overhead is
 * measured like any other and samples become longer. */
uint64_t platform_now_ns(void)
{
    struct timespec t;
    if (clock_gettime(CLOCK_MONOTONIC_RAW, &t) != 0 && clock_gettime(CLOCK_MONOTONIC, &t) != 0)
        return 0;
    return (uint64_t)t.tv_sec * 1000000000U + (uint64_t)t.tv_nsec;
}

/* ---- processors ---- */

/* Ticks that each processor was busy since the start, by its number. */
struct load {
    uint64_t *busy;
    size_t count;
};

/* Makes room for processor `cpu`; false when there is no memory. */
static bool load_reach(struct load *load, size_t cpu)
{
    if (cpu < load->count)
        return true;
    size_t count = (cpu + 64) / 64 * 64;
    uint64_t *busy = realloc(load->busy, count * sizeof *busy);
    if (busy == NULL)
        return false;
    memset(busy + load->count, 0, (count - load->count) * sizeof *busy);
    load->busy = busy;
    load->count = count;
    return true;
}

/* Adds ticks × sign to each processor: user, nice, system, irq, softirq, steal; not idle, iowait.
 */
static void load_read(struct load *load, bool subtract)
{
    FILE *file = platform_open("/proc/stat");
    char line[512];
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        unsigned cpu;
        unsigned long long t[8] = {0};
        if (sscanf(line, "cpu%u %llu %llu %llu %llu %llu %llu %llu %llu", &cpu, &t[0], &t[1], &t[2],
                   &t[3], &t[4], &t[5], &t[6], &t[7]) < 5 ||
            cpu > 1U << 20 || !load_reach(load, cpu))
            continue;
        uint64_t busy = t[0] + t[1] + t[2] + t[5] + t[6] + t[7];
        load->busy[cpu] += subtract ? 0 - busy : busy;
    }
    if (file != NULL)
        fclose(file);
}

/* Busy ticks of every processor while this thread sleeps. */
static struct load load_look(void)
{
    struct load load = {0};
    struct timespec wait = {0, LOOK_MS * 1000000L};
    load_read(&load, true);
    nanosleep(&wait, NULL);
    load_read(&load, false);
    return load;
}

static uint64_t load_of(const struct load *load, long cpu)
{
    return cpu >= 0 && (size_t)cpu < load->count ? load->busy[cpu] : 0;
}

/* Busy ticks of the other hardware threads of the core. */
static uint64_t sibling_load(const struct load *load, long cpu)
{
    char path[96], list[1024];
    uint64_t busy = 0;
    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%ld/topology/thread_siblings_list",
             cpu);
    if (!platform_read_line(path, list, sizeof list))
        return 0;
    for (long other = sysfs_list_next(list, -1); other >= 0; other = sysfs_list_next(list, other))
        if (other != cpu)
            busy += load_of(load, other);
    return busy;
}

/* The processors that this thread may run on, however many there are; NULL without memory. */
static cpu_set_t *allowed_set(size_t *count)
{
    for (*count = 1024; *count <= 1 << 20; *count *= 2) {
        cpu_set_t *set = CPU_ALLOC(*count);
        if (set == NULL)
            return NULL;
        if (sched_getaffinity(0, CPU_ALLOC_SIZE(*count), set) == 0)
            return set;
        CPU_FREE(set);
        if (errno != EINVAL)
            return NULL;
    }
    return NULL;
}

/* The idlest: first the least busy, itself weighing twice and its sibling threads once; among
 * equals a performance core; among those the first from a place that the process's number decides,
 * so that two runs started at once do not meet. */
static long idlest(const cpu_set_t *set, size_t count, const struct load *load)
{
    struct sysfs_kinds kinds = sysfs_kinds();
    long best = -1;
    uint64_t best_busy = UINT64_MAX;
    bool best_fast = false;
    for (size_t i = 0; i < count;
         i++) { /* two runs started at once do not begin at the same core */
        long cpu = (long)(((size_t)getpid() + i) % count);
        if (!CPU_ISSET_S((size_t)cpu, CPU_ALLOC_SIZE(count), set))
            continue;
        uint64_t busy = 2 * load_of(load, cpu) + sibling_load(load, cpu);
        bool fast = sysfs_is_fast(&kinds, cpu);
        if (busy < best_busy || (busy == best_busy && fast && !best_fast)) {
            best = cpu;
            best_busy = busy;
            best_fast = fast;
        }
    }
    return best;
}

/* 0, or errno. */
static int pin_to(long cpu, size_t count)
{
    cpu_set_t *one = CPU_ALLOC(count);
    if (one == NULL)
        return ENOMEM;
    size_t size = CPU_ALLOC_SIZE(count);
    CPU_ZERO_S(size, one);
    CPU_SET_S((size_t)cpu, size, one);
    int error = sched_setaffinity(0, size, one) == 0 ? 0 : errno;
    CPU_FREE(one);
    return error;
}

struct platform_result platform_pin(int *cpu)
{
    struct platform_result answer = result(PLATFORM_YES);
    size_t count;
    long best = -1;
    cpu_set_t *set = allowed_set(&count);
    if (set != NULL) {
        struct load load = load_look();
        best = idlest(set, count, &load);
        free(load.busy);
        CPU_FREE(set);
    }
    int error = best < 0 ? EINVAL : pin_to(best, count);
    *cpu = sched_getcpu();
    if (error != 0) {
        answer.answer = PLATFORM_NO;
        snprintf(answer.why, sizeof answer.why, "sched_setaffinity: %s", strerror(error));
    } else if (*cpu != best) {
        answer.answer = PLATFORM_HINT;
        snprintf(answer.why, sizeof answer.why, "asked for core %ld but running on core %d", best,
                 *cpu);
    }
    return answer;
}

static struct platform_result refuse(const char *format, const char *what)
{
    struct platform_result answer = result(PLATFORM_NO);
    snprintf(answer.why, sizeof answer.why, format, what);
    return answer;
}

struct platform_result platform_restrict(const char *kind)
{
    struct sysfs_kinds kinds = sysfs_kinds();
    bool fast = strcmp(kind, "performance") == 0;
    size_t count;
    if (!kinds.several)
        return fast ? result(PLATFORM_YES)
                    : refuse("the cores of this machine are all alike (%s)", kinds.source);
    cpu_set_t *set = allowed_set(&count);
    if (set == NULL)
        return refuse("sched_getaffinity: %s", strerror(errno));
    size_t size = CPU_ALLOC_SIZE(count);
    for (size_t cpu = 0; cpu < count; cpu++)
        if (CPU_ISSET_S(cpu, size, set) && sysfs_is_fast(&kinds, (long)cpu) != fast)
            CPU_CLR_S(cpu, size, set);
    struct platform_result answer = result(PLATFORM_YES);
    if (CPU_COUNT_S(size, set) == 0)
        answer = refuse("this process may use no core of that kind (by taskset or a cpuset; %s)",
                        kinds.source);
    else if (sched_setaffinity(0, size, set) != 0)
        answer = refuse("sched_setaffinity: %s", strerror(errno));
    CPU_FREE(set);
    return answer;
}

/* The first core of the set after `here`, or -1 where there is no other. */
static long next_core(const cpu_set_t *set, size_t count, long here)
{
    for (size_t i = 1; i < count; i++) {
        size_t cpu = ((size_t)here + i) % count;
        if (CPU_ISSET_S(cpu, CPU_ALLOC_SIZE(count), set))
            return (long)cpu;
    }
    return -1;
}

/* Pinned for a moment, and free again: it stays there until the scheduler has a reason. */
struct platform_result platform_move(int *cpu)
{
    struct platform_result answer = result(PLATFORM_YES);
    size_t count;
    cpu_set_t *set = allowed_set(&count);
    *cpu = sched_getcpu();
    if (set == NULL)
        return refuse("sched_getaffinity: %s", strerror(errno));
    long next = next_core(set, count, *cpu);
    int error = next < 0 ? 0 : pin_to(next, count);
    if (next < 0)
        answer = refuse("this process may use one core alone (%s)", "taskset or a cpuset");
    else if (error != 0 || sched_setaffinity(0, CPU_ALLOC_SIZE(count), set) != 0)
        answer = refuse("sched_setaffinity: %s", strerror(error != 0 ? error : errno));
    CPU_FREE(set);
    *cpu = sched_getcpu();
    return answer;
}

const char *platform_sibling_busy(int cpu, char why[PLATFORM_WHY_ROOM])
{
    struct load load = load_look();
    uint64_t busy = sibling_load(&load, cpu);
    free(load.busy);
    why[0] = '\0';
    if (busy > 0)
        return "yes";
    if (!sysfs_is_guest())
        return "no";
    snprintf(why, PLATFORM_WHY_ROOM, "a guest cannot see who shares its cores");
    return "unknown";
}

bool platform_counts(struct platform_counts *counts)
{
    return posix_counts(RUSAGE_THREAD, sched_getcpu(), counts);
}

/* The reason and the remedy for an error of perf_event_open(). */
static void perf_why(int error, char why[PLATFORM_WHY_ROOM])
{
    char paranoid[16];
    if (error == ENOENT || error == EOPNOTSUPP || error == ENODEV)
        snprintf(why, PLATFORM_WHY_ROOM, "%s: no hardware counters%s", strerror(error),
                 sysfs_is_guest() ? " (the hypervisor gives this guest none)" : "");
    else if ((error == EACCES || error == EPERM) &&
             platform_read_line("/proc/sys/kernel/perf_event_paranoid", paranoid, sizeof paranoid))
        snprintf(why, PLATFORM_WHY_ROOM,
                 "%s: kernel.perf_event_paranoid is %s, 2 would do; or a container forbids it",
                 strerror(error), paranoid);
    else
        snprintf(why, PLATFORM_WHY_ROOM, "perf_event_open: %s", strerror(error));
}

struct platform_result platform_perf(void)
{
    struct platform_result answer = result(PLATFORM_YES);
    struct perf_event_attr attr = {.type = PERF_TYPE_HARDWARE,
                                   .size = sizeof attr,
                                   .config = PERF_COUNT_HW_CPU_CYCLES,
                                   .disabled = 1,
                                   .exclude_kernel = 1,
                                   .exclude_hv = 1};
    long descriptor = syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0UL);
    if (descriptor >= 0) {
        close((int)descriptor);
    } else {
        answer.answer = PLATFORM_NO;
        perf_why(errno, answer.why);
    }
    return answer;
}

/* ---- what the machine says of itself ---- */

const char *platform_core_kind(int cpu)
{
    struct sysfs_kinds kinds = sysfs_kinds();
    if (!kinds.several)
        return "uniform";
    return sysfs_is_fast(&kinds, cpu) ? "performance" : "efficiency";
}

void platform_claims(platform_claim *claim, void *context)
{
    sysfs_claims(claim, context);
}
